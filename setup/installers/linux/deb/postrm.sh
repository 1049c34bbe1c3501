case "$1" in
remove)
  distrust_certificate
  if has_systemd; then systemctl --system daemon-reload || true; fi
  ;;
purge)
  distrust_certificate
  deb-systemd-helper purge platen.service >/dev/null
  deb-systemd-helper unmask platen.service >/dev/null
  # What the service made, and what `platen plugins add` installed. dpkg removes the configuration.
  rm -rf "$plugins"
  if ! getent passwd platen >/dev/null || is_our_account; then rm -rf "$data"; fi
  rmdir --ignore-fail-on-non-empty /etc/platen 2>/dev/null || true
  remove_account
  ;;
esac
