# A configuration that nobody edited is the old release's template, which is still there: postinst copies the new one.
if [ "$1" = upgrade ] && [ -f "$config" ] && [ ! -L "$config" ] && cmp -s "$config" "$template"; then
  rm -f "$config"
fi
