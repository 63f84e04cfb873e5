# Runs inside the sandbox after the unit was started; each line it prints is a guarantee that held.
set -u
url=https://127.0.0.1:8443
unit=redoubt.service
fail() { echo "FAILED: $1"; systemctl status "$unit" --no-pager; journalctl -u "$unit" --no-pager | tail -20; exit 1; }
until_true() { for _ in $(seq 600); do eval "$1" && return 0; sleep 0.1; done; fail "$2"; }
ask() { curl -ks --max-time 5 "$@"; }
property() { systemctl show "$unit" -p "$1" --value; }

# PrivateDevices= needs this node, which every host has and the sandbox has not.
[ -e /dev/ptmx ] || { ln -s pts/ptmx /dev/ptmx; systemctl restart "$unit"; }
[ "$(property ActiveState)" = active ] || fail 'the unit is active'
ask "$url/readyz" | grep -q '"ready"' || fail 'it answers over TLS'
echo 'ready: started, notified and answers over TLS with the certificate from its credentials'

key=$(setpriv --reuid redoubt --regid redoubt --clear-groups env SERVICE_DATA_DIR=/var/lib/redoubt \
  /usr/local/bin/redoubt license issue --plan pro --domain example.com --domain 93.184.216.34 --json | sed -n 's/.*"key": "\(.*\)".*/\1/p')
setpriv --reuid redoubt --regid redoubt --clear-groups env SERVICE_DATA_DIR=/var/lib/redoubt \
  /usr/local/bin/redoubt license verify-domain lic_1 --domain 93.184.216.34 >/dev/null
[ "$(ask -o /dev/null -w '%{http_code}' "$url/api/v1/me" -H "Authorization: Bearer $key")" = 200 ] || fail 'a new key works'
ask "$url/api/v1/telemetry" -H "Authorization: Bearer $key" \
  -d '{"domain":"example.com","events":[{"type":"attack_blocked","event_id":"one"}]}' | grep -q '"events_accepted":1' ||
  fail 'telemetry is accepted'
echo 'story: a key issued beside the running service works on its next request'

found=$(/usr/local/bin/redoubt doctor --json)
[ $? = 3 ] && [ "$(echo "$found" | sed -n 's/.*"id": "\(.*\)".*/\1/p')" = unit-lets-nothing-out ] || fail "doctor: $found"
echo 'doctor: reads settings and credentials as the unit has them, and finds that the unit keeps scans in'

# A route that leads nowhere: only the unit's IPAddressDeny keeps what is sent from it.
ip link add way0 type veth peer name way1 && ip link set way0 up && ip link set way1 up
ip addr add 198.18.0.1/24 dev way0 && ip route add default via 198.18.0.2
ip neigh add 198.18.0.2 lladdr 02:00:00:00:00:01 dev way0 nud permanent
[ "$(ask --max-time 20 -o /dev/null -w '%{http_code}' "$url/api/v1/scan" -H "Authorization: Bearer $key" \
  -d '{"site_url":"93.184.216.34","scan_type":"surface"}')" = 503 ] || fail 'a scan that the unit does not let out is no finding'
echo 'scan: what the unit does not let out is no finding about a site'

finds_a_shell() { ask "$url/api/v1/brain/analyze" -H "Authorization: Bearer $key" \
  -d '{"input_type":"code","content":"<?php eval($_POST[1]);"}' | grep -q '"verdict":"malicious"'; }
analysis() { pgrep -P "$(property MainPID)" -f analysis-process; }
finds_a_shell || fail 'contents are analysed'
[ "$(cat "/proc/$(analysis)/oom_score_adj")" = 1000 ] || fail 'the kernel may take the analysis first'
kill -KILL "$(analysis)"
until_true finds_a_shell 'another process takes its place'
[ "$(property NRestarts)" = 0 ] || fail 'the analysis may die alone'
echo 'analysis: in a process of its own, which may die without the service'

before=$(property WatchdogTimestampMonotonic)
until_true '[ "$(property WatchdogTimestampMonotonic)" != "$before" ]' 'the watchdog is fed'
echo 'watchdog: fed while the service is alive'

sed -i 's/^SERVICE_RATE_KEY_PER_MINUTE=.*/SERVICE_RATE_KEY_PER_MINUTE=77/' /etc/redoubt/redoubt.env
limit_is_77() { ask "$url/api/v1/me" -H "Authorization: Bearer $key" | grep -q '"limit":77'; }
systemctl reload "$unit" && limit_is_77 || fail 'a reload takes settings over before it is done'
sed -i 's/^SERVICE_RATE_KEY_PER_MINUTE=.*/SERVICE_RATE_KEY_PER_MINUTE=many/' /etc/redoubt/redoubt.env
systemctl reload "$unit" 2>/dev/null && fail 'a reload that changes nothing fails'
limit_is_77 || fail 'the settings of before hold'
reason='reload failed.*SERVICE_RATE_KEY_PER_MINUTE .*many.* must be a whole number'
until_true 'property StatusText | grep -q "$reason"' 'the status tells why'
until_true 'journalctl -u "$unit" -p err --no-pager | grep -q "$reason"' 'the journal has it as an error'
journalctl -u "$unit" -p info..info --no-pager | grep -q ': {.*"message":"ready"' || fail 'other lines are no errors'
sed -i 's/^SERVICE_RATE_KEY_PER_MINUTE=.*/SERVICE_RATE_KEY_PER_MINUTE=77/' /etc/redoubt/redoubt.env
echo 'reload: changed settings hold without a restart, and one that fails is told everywhere'

served() { openssl s_client -connect 127.0.0.1:8443 </dev/null 2>/dev/null | openssl x509; }
cp /root/renewed.pem /etc/credstore/redoubt.tls-cert && cp /root/renewed.key /etc/credstore/redoubt.tls-key
systemctl reload "$unit" && [ "$(served)" = "$(openssl x509 -in /root/renewed.pem)" ] ||
  fail 'a reload takes a renewed certificate from the credential store'
echo 'certificate: renewed in the credential store, served after a reload'

pid=$(property MainPID)
kill -KILL "$pid"
until_true '[ "$(property MainPID)" != "$pid" ] && [ "$(property ActiveState)" = active ]' 'it restarts after SIGKILL'
until_true 'ask "$url/readyz" | grep -q "\"ready\""' 'it is ready again'
ask "$url/api/v1/telemetry" -H "Authorization: Bearer $key" \
  -d '{"domain":"example.com","events":[{"type":"attack_blocked","event_id":"one"}]}' | grep -q '"events_duplicate":1' ||
  fail 'what was acknowledged is still there'
echo 'restart: after SIGKILL everything acknowledged is still there'

pid=$(property MainPID)
kill -STOP "$pid"
until_true '[ "$(property MainPID)" != "$pid" ] && [ "$(property ActiveState)" = active ]' 'a hung service is replaced'
echo 'hang: a service that hangs is killed and replaced'

sed -i 's/^SERVICE_PORT=.*/SERVICE_PORT=none/' /etc/redoubt/redoubt.env
systemctl restart "$unit" 2>/dev/null
[ "$(property ActiveState) $(property ExecMainStatus)" = 'failed 2' ] || fail 'malformed settings end it for good'
sed -i 's/^SERVICE_PORT=.*/SERVICE_PORT=443/' /etc/redoubt/redoubt.env
systemctl restart "$unit" 2>/dev/null && fail 'port 443 needs the drop-in'
mkdir "/etc/systemd/system/$unit.d" && cp /root/443.conf "/etc/systemd/system/$unit.d/"
systemctl daemon-reload && systemctl restart "$unit" && ask "https://127.0.0.1/readyz" | grep -q '"ready"' || fail 'the drop-in opens port 443'
[ "$(awk '/^Cap(Prm|Eff|Bnd)/ { print $2 }' "/proc/$(property MainPID)/status" | sort -u)" = 0000000000000400 ] ||
  fail 'it has no other capability'
echo 'port-443: with the drop-in, and by one capability alone'

systemctl stop "$unit"
[ "$(property Result)" = success ] || fail 'it stops cleanly'
echo 'stop: clean on SIGTERM'
