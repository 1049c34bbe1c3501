case "$1" in
remove)
  distrust_certificate
  if has_systemd; then systemctl --system daemon-reload || true; fi
  ;;
purge)
  distrust_certificate
  deb-systemd-helper purge platen.service >/dev/null
  deb-systemd-helper unmask platen.service >/dev/null
  # What the service made, what `platen plugins add` installed, and the configuration with the grants beside it.
  rm -rf "$plugins" "${config%/*}"
  if ! getent passwd platen >/dev/null || is_our_account; then rm -rf "$data"; fi
  remove_account
  ;;
esac
