# $1: 1 for an installation, 2 for an upgrade.
make_account scanner lp
make_certificate
trust_certificate
if command -v systemctl >/dev/null; then
  if [ "$1" -eq 1 ]; then systemctl enable platen.service >/dev/null 2>&1 || true; fi
  if has_systemd; then
    systemctl daemon-reload || true
    # Whoever disabled the service keeps it disabled; the journal says why a service does not start.
    if systemctl is-enabled --quiet platen.service; then systemctl restart platen.service || true; fi
  fi
fi
tell_about_origins
