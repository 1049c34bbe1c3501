# What the scripts of the deb and of the rpm share. It is copied to the head of each.
data=/var/lib/platen
plugins=/usr/local/lib/platen
config=/etc/platen/platen.json
# Of the deb only: the other package keeps a configuration by itself.
template=/usr/share/platen/platen.json

# Runs a program with the rights of the service's account.
as_platen() {
  (cd / && setpriv --reuid=platen --regid=platen --init-groups \
    env -i PATH=/usr/bin:/bin HOME="$data" PLATEN_DATA_DIR="$data" "$@")
}

# A person may have the account's name: neither the service nor the removal takes that one over.
is_our_account() {
  entry=$(getent passwd platen) || return 1
  highest=$(sed -n 's/^SYS_UID_MAX[[:space:]]*\([0-9][0-9]*\).*/\1/p' /etc/login.defs 2>/dev/null | tail -n 1)
  [ "$(echo "$entry" | cut -d: -f3)" -le "${highest:-999}" ] && [ "$(echo "$entry" | cut -d: -f6)" = "$data" ]
}

# $1...: groups whose members may use scanners.
make_account() {
  if getent passwd platen >/dev/null && ! is_our_account; then
    echo "platen: the account platen exists and is not a system account with the home $data; rename or remove it, then install again." >&2
    exit 1
  fi
  getent group platen >/dev/null || groupadd --system platen
  getent passwd platen >/dev/null ||
    useradd --system --gid platen --no-create-home --home-dir "$data" --shell /usr/sbin/nologin --comment Platen platen
  for group in "$@"; do
    if getent group "$group" >/dev/null; then usermod --append --groups "$group" platen; fi
  done
  install -d -m 0700 -o platen -g platen "$data"
}

remove_account() {
  if getent passwd platen >/dev/null && ! is_our_account; then
    echo "platen: the account platen is not a system account with the home $data; it was kept." >&2
    return 0
  fi
  if getent passwd platen >/dev/null; then userdel platen; fi
  if getent group platen >/dev/null; then groupdel platen; fi
}

# The default lets any web page scan; a person may have meant it.
tell_about_origins() {
  if platen config show 2>/dev/null | grep -q '^security.origins = "open"'; then
    echo "platen: any web page may scan on this computer. To have people asked first, write { \"security\": { \"origins\": \"ask\" } } to ${config%/*}/conf.d/10-origins.json and restart platen.service."
  fi
}

# Keeps a valid certificate. Its key never leaves the data folder.
make_certificate() {
  as_platen /usr/bin/platen cert install --no-trust --successors >/dev/null
}

# Where administrators put certificates: on Debian and its relatives, on Fedora and its relatives.
trusted_folder() {
  if command -v update-ca-certificates >/dev/null; then
    echo /usr/local/share/ca-certificates
  elif command -v update-ca-trust >/dev/null; then
    echo /etc/pki/ca-trust/source/anchors
  fi
}

# Neither a pipe nor a large file in the account's folder keeps the installation waiting.
read_certificates() {
  as_platen timeout 10 sh -c 'test -f "$1" && exec head -c 65536 "$1"' sh "$data/certificate/trusted.pem"
}

# The account's own words are not taken for it: the file is read with the account's rights, so that a link in its folder
# shows nothing else, and only certificates as Platen makes them, which sign no others, become trusted: the served one
# is platen.crt, those that follow it are platen-2.crt and so on.
trust_certificate() {
  folder=$(trusted_folder)
  if [ -z "$folder" ]; then return 0; fi
  made=$(mktemp -d)
  if ! read_certificates | write_our_own "$made"; then
    echo "platen: $data/certificate/trusted.pem has something that Platen did not make; it was not made trusted." >&2
  elif ! same_certificates "$made" "$folder"; then
    install -d -m 0755 "$folder"
    rm -f "$folder"/platen.crt "$folder"/platen-[2-9].crt
    install -m 0644 "$made"/platen*.crt "$folder"
    update_trust --fresh
  fi
  rm -rf "$made"
}

# $1: the folder for the certificates that come on standard input. Fails if there are none, or others among them.
write_our_own() {
  /usr/lib/platen/node /usr/lib/platen/node_modules/@platen/server/bin/ownCertificates.mjs "$1" 2>/dev/null
}

# $1 and $2: two folders.
same_certificates() {
  for name in platen platen-2 platen-3 platen-4 platen-5 platen-6 platen-7 platen-8 platen-9; do
    if [ "$(cat "$1/$name.crt" 2>/dev/null)" != "$(cat "$2/$name.crt" 2>/dev/null)" ]; then return 1; fi
  done
}

distrust_certificate() {
  folder=$(trusted_folder)
  if [ -z "$folder" ] || [ -z "$(ls "$folder" 2>/dev/null | grep -x 'platen\(-[2-9]\)\{0,1\}\.crt')" ]; then return 0; fi
  rm -f "$folder"/platen.crt "$folder"/platen-[2-9].crt
  update_trust --fresh
}

update_trust() {
  if command -v update-ca-certificates >/dev/null; then
    update-ca-certificates "$@" >/dev/null
  else
    update-ca-trust extract
  fi
}

# A container or a chroot has no systemd that runs: there, nothing is started.
has_systemd() {
  [ -d /run/systemd/system ]
}
