# Also before an upgrade: the service loads parts of itself when they are needed, and these would be of two versions.
if has_systemd; then deb-systemd-invoke stop platen.service || true; fi
# Compiled code of this version.
rm -rf /var/cache/platen
