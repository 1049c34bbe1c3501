case "$1" in
remove)
  distrust_certificate
  if has_systemd; then systemctl --system daemon-reload || true; fi
  ;;
purge)
  distrust_certificate
  deb-systemd-helper purge platen.service >/dev/null
  deb-systemd-helper unmask platen.service >/dev/null
  # What the service made, what `platen plugins add` installed, and the copy of the template.
  rm -rf "$plugins"
  rm -f "$config"
  if ! getent passwd platen >/dev/null || is_our_account; then rm -rf "$data"; fi
  rmdir --ignore-fail-on-non-empty "${config%/*}" 2>/dev/null || true
  remove_account
  ;;
esac
