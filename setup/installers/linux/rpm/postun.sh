# Compiled code of the version before.
rm -rf /var/cache/platen
# $1: 0 for a removal, 1 for an upgrade. A removal leaves the data folder and its account: rpm has no purge.
if [ "$1" -eq 0 ]; then
  distrust_certificate
  if has_systemd; then systemctl daemon-reload || true; fi
fi
