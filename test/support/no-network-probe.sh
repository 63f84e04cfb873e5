# Runs in a network namespace of its own: $1 the executable, $2 an empty directory. Prints what scans are answered.
set -eu
ip link set lo up
export SERVICE_DATA_DIR="$2/data" SERVICE_PORT=8080
url=http://127.0.0.1:8080
"$1" serve 2>"$2/log" &
server=$!
for _ in $(seq 100); do curl -s "$url/readyz" >/dev/null && break || sleep 0.1; done
key=$("$1" license issue --json --plan pro --domain shop-of-nobody.com --domain 93.184.216.34 |
  sed -n 's/.*"key": "\(.*\)".*/\1/p')
for site in shop-of-nobody.com 93.184.216.34; do
  "$1" license verify-domain lic_1 --domain "$site" >/dev/null
  printf '%s ' "$site"
  curl -s -o /dev/null -w '%{http_code}\n' "$url/api/v1/scan" -H "Authorization: Bearer $key" \
    -d "{\"site_url\":\"$site\",\"scan_type\":\"surface\"}"
done
printf 'connect '
curl -s "$url/api/v1/connect" -H "Authorization: Bearer $key" |
  sed -n 's/.*"id":"surface_scans"[^}]*"status":"\([a-z]*\)".*/\1/p'
kill "$server"
wait "$server" || true
