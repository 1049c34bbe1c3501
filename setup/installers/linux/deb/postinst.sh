case "$1" in
configure)
  # libsane1 makes the group scanner, and is configured before.
  make_account scanner lp
  make_certificate
  trust_certificate
  ;;
esac

case "$1" in
configure | abort-upgrade | abort-deconfigure | abort-remove)
  if [ ! -e "$config" ] && [ ! -L "$config" ]; then
    install -d -m 0755 "${config%/*}"
    install -m 0644 "$template" "$config"
  fi
  deb-systemd-helper unmask platen.service >/dev/null
  # Whoever disabled the service keeps it disabled.
  if deb-systemd-helper --quiet was-enabled platen.service; then
    deb-systemd-helper enable platen.service >/dev/null
  else
    deb-systemd-helper update-state platen.service >/dev/null
  fi
  tell_about_origins
  if has_systemd; then
    systemctl --system daemon-reload || true
    # The journal says why a service does not start; the package is installed all the same.
    deb-systemd-invoke start platen.service || true
  fi
  ;;
esac
