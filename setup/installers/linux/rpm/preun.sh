# $1: 0 for a removal, 1 for an upgrade.
if [ "$1" -eq 0 ] && command -v systemctl >/dev/null; then
  if has_systemd; then systemctl stop platen.service || true; fi
  systemctl disable platen.service >/dev/null 2>&1 || true
fi
