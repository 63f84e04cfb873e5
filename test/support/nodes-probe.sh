# Runs inside the sandbox, beside a PostgreSQL that it starts; each line it prints is a guarantee that held.
set -u
fail() { echo "FAILED: $1"; journalctl -u 'redoubt@*' --no-pager | tail -30; tail -n 5 /srv/postgres.log; exit 1; }
until_true() { for _ in $(seq 300); do eval "$1" && return 0; sleep 0.1; done; fail "$2"; }
ask() { curl -s --max-time 5 "$@"; }
property() { systemctl show "redoubt@$1" -p "$2" --value; }
as() { setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"; }
redoubt() { SERVICE_CONFIG=/etc/redoubt/redoubt.env /usr/local/bin/redoubt "$@"; }
is_ready() { ask "http://127.0.0.1:$1/readyz" | grep -q '"ready"' && [ "$(property "$1" ActiveState)" = active ]; }

[ -e /dev/ptmx ] || ln -s pts/ptmx /dev/ptmx
mkdir /srv/postgres && mkdir -p /run/postgresql && tar -xf /root/native.tar -C /srv/postgres
install -d -o postgres -g postgres -m 700 /srv/cluster && chown postgres: /run/postgresql
as postgres /srv/postgres/bin/initdb -D /srv/cluster -U redoubt -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/srv/postgres.log 2>&1 || fail 'initdb'
start_database() {
  setpriv --reuid postgres --regid postgres --clear-groups /srv/postgres/bin/postgres -D /srv/cluster -c listen_addresses= -c unix_socket_directories=/run/postgresql \
    >>/srv/postgres.log 2>&1 &
  database=$!
}
mkdir /etc/redoubt && echo 'SERVICE_DATABASE_URL=postgres:///postgres?host=/run/postgresql&user=redoubt' >/etc/redoubt/redoubt.env

systemctl start --no-block redoubt@8101
until_true 'ask http://127.0.0.1:8101/readyz | grep -q "database is unreachable"' 'it says what it waits for'
[ "$(ask -o /dev/null -w '%{http_code}' http://127.0.0.1:8101/healthz) $(property 8101 ActiveState)" = '200 activating' ] || fail 'it is alive meanwhile'
start_database
until_true '[ "$(property 8101 ActiveState)" = active ]' 'it starts when the database is there'
echo 'waits: for the database, and says so'

systemctl start redoubt@8102 redoubt@8103 && is_ready 8101 && is_ready 8102 && is_ready 8103 || fail 'several are ready'
[ "$(stat -c '%a %U' /var/lib/redoubt /var/lib/redoubt/node-8101 /var/lib/redoubt/node-8102 | sort -u)" = '700 redoubt' ] &&
  [ -f /var/lib/redoubt/installation.key ] && [ ! -e /var/lib/redoubt/node-8101/installation.key ] ||
  fail 'each has a directory, and all have one key'
echo 'several: processes with one key, each with its own port and directory'

key=$(redoubt license issue --plan pro --domain example.com --json | sed -n 's/.*"key": "\(.*\)".*/\1/p')
verify() { ask "http://127.0.0.1:$1/api/v1/license/verify" -H "Authorization: Bearer $key" -d '{"domain":"example.com"}'; }
for port in 8101 8102 8103; do verify $port | grep -q '"valid":true' || fail "$port knows the license"; done
echo 'equal: a license that a command issued is good at each'

systemctl start redoubt-backup.service && redoubt backup verify /var/lib/redoubt/backups/*.tar >/dev/null || fail 'the unit of the backup makes one'
for port in 8101 8102; do ask "http://127.0.0.1:$port/metrics" | grep -q '^redoubt_last_backup_timestamp' || fail "$port knows of it"; done
redoubt doctor --unit redoubt@8101 >/root/doctor; [ $? != 1 ] || { cat /root/doctor; fail 'nothing is wrong with one of them'; }
echo 'backup: of the common keys, which each knows of, and nothing is wrong'

pid=$(property 8102 MainPID)
systemctl kill --signal KILL redoubt@8102
verify 8101 | grep -q '"valid":true' && verify 8103 | grep -q '"valid":true' || fail 'the others serve'
until_true '[ "$(property 8102 MainPID)" != "$pid" ] && is_ready 8102' 'it comes back by itself'
echo 'killed: one is, the others serve, and it comes back'

echo SERVICE_RATE_KEY_PER_MINUTE=77 >>/etc/redoubt/redoubt.env
systemctl reload 'redoubt@*' || fail 'all take settings over'
for port in 8101 8102 8103; do
  ask "http://127.0.0.1:$port/api/v1/me" -H "Authorization: Bearer $key" | grep -q '"limit":77' || fail "$port has them"
done
printf 'SERVICE_ADMIN_PORT=8081\n' >/etc/redoubt/node-8103.env
systemctl restart redoubt@8103 && ask -o /dev/null http://127.0.0.1:8081/healthz || fail 'one of them has the admin port'
echo 'settings: common ones by a reload, and those of one in a file of its own'

kill -QUIT $database; wait $database
until_true '[ "$(verify 8101 | grep -c STORE_UNAVAILABLE)" = 1 ]' 'without the database it says so'
restarts=$(property 8101 NRestarts)
start_database
until_true 'is_ready 8101 && is_ready 8102 && is_ready 8103' 'they are back when the database is'
[ "$(property 8101 NRestarts)" = "$restarts" ] || fail 'none was started again for that'
echo 'database: away and back, without a restart'

systemctl stop redoubt@8102
mkdir /var/lib/redoubt/other && chown redoubt: /var/lib/redoubt/other
printf 'SERVICE_KEYS_DIR=/var/lib/redoubt/other\n' >/etc/redoubt/node-8102.env
systemctl start redoubt@8102 2>/dev/null && fail 'one without the keys is refused'
[ "$(property 8102 ActiveState) $(property 8102 ExecMainStatus)" = 'failed 2' ] || fail 'it is not started again'
echo 'keys: a process without them is refused, and not started again'

systemctl stop 'redoubt@*'
[ "$(property 8101 Result) $(property 8103 Result)" = 'success success' ] || fail 'they stop cleanly'
echo 'stop: clean on SIGTERM'
