# Runs inside the sandbox after the unit was started; each line it prints is a guarantee that held.
set -u
unit=redoubt.service
fail() { echo "FAILED: $1"; journalctl -u 'redoubt*' --no-pager | tail -30; ls -la /run/redoubt; exit 1; }
until_true() { for _ in $(seq 300); do eval "$1" && return 0; sleep 0.1; done; fail "$2"; }
nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
in_group() { setpriv --reuid 65534 --regid 65534 --groups "$1" "${@:2}"; }
ask() { curl -s --max-time 5 -o /dev/null -w '%{http_code}' "$@"; }
public=/run/redoubt/http.sock
admin=/run/redoubt/admin.sock
places="127.0.0.1:8081 [::1]:8081 $public $admin"

# Whether another user can listen there.
can_take() {
  nobody timeout 2 systemd-socket-activate -l "$1" /bin/true >/dev/null 2>/root/err
  ! grep -qE 'in use|Permission denied|No such file|Read-only' /root/err
}
none_can_be_taken() { for place in $places; do can_take "$place" && fail "nobody can take $place $1"; done; return 0; }

chown root:redoubt /etc/redoubt/redoubt.env && chmod 640 /etc/redoubt/redoubt.env
[ "$(systemctl is-active "$unit" redoubt-admin.socket | tr '\n' ' ')" = 'active active ' ] || fail 'the unit brings its socket'
can_take 127.0.0.1:8082 || fail 'another port can be taken'
for at in 127.0.0.1 '[::1]' localhost; do
  [ "$(ask "http://$at:8081/console/sign-in")" = 200 ] || fail "the console answers at $at"
done
[ "$(ask -H 'Host: evil.example' http://127.0.0.1:8081/console/sign-in -d x=y)" = 403 ] || fail 'its own host names apply'
echo 'console: at both loopback addresses, by the port that systemd holds'

[ "$(stat -c '%a %U:%G' $public $admin | tr '\n' ' ')" = '660 redoubt:www-data 660 redoubt:redoubt ' ] ||
  fail 'the sockets belong to whom they should'
web=$(getent group www-data | cut -d: -f3)
[ "$(in_group "$web" curl -s --unix-socket $public http://localhost/readyz | grep -c '"ready"')" = 1 ] || fail 'the proxy connects by its group'
[ "$(nobody curl -s -o /dev/null -w '%{http_code}' --unix-socket $public http://localhost/readyz)" = 000 ] || fail 'no other user connects'
[ "$(nobody curl -s -o /dev/null -w '%{http_code}' --unix-socket $admin http://localhost/console/sign-in)" = 000 ] || fail 'nor to the admin socket'
[ -z "$(ss -Hltn 'sport = :8080')" ] || fail 'it has no other port'
[ "$(in_group "$web" cat /etc/redoubt/redoubt.env 2>/dev/null | wc -c)" = 0 ] || fail 'the proxy cannot read the settings'
echo 'proxy: connects to the Unix socket by its group, as nobody else can'

none_can_be_taken 'while it runs'
systemctl stop "$unit"
none_can_be_taken 'while it is stopped'
[ "$(ask http://127.0.0.1:8081/console/sign-in)" = 000 ] || fail 'nothing answers'
[ "$(systemctl is-active "$unit" redoubt-admin.socket | tr '\n' ' ')" = 'inactive active ' ] || fail 'a connection starts nothing'
for _ in $(seq 60); do ask http://127.0.0.1:8081/ >/dev/null; done
[ "$(systemctl is-active redoubt-admin.socket)" = active ] || fail 'no number of connections ends the socket'
none_can_be_taken 'after many connections'
systemctl start "$unit"
until_true '[ "$(ask http://127.0.0.1:8081/console/sign-in)" = 200 ]' 'the console is back'
kill -KILL "$(systemctl show "$unit" -p MainPID --value)"
for _ in $(seq 10); do none_can_be_taken 'while it starts after SIGKILL'; done
until_true '[ "$(ask http://127.0.0.1:8081/console/sign-in)" = 200 ]' 'the console is back after SIGKILL'
kill -KILL "$(systemctl show redoubt-admin.service -p MainPID --value)"
none_can_be_taken 'while what hands connections over is dead'
until_true '[ "$(ask http://127.0.0.1:8081/console/sign-in)" = 200 ]' 'it is started again'
systemctl restart "$unit" &
while kill -0 $! 2>/dev/null; do none_can_be_taken 'during a restart'; done
echo 'held: no other user can take a port or socket, while the service runs, restarts, is killed or stopped'

nobody systemd-socket-activate -l 127.0.0.1:8080 /bin/sleep 60 2>/dev/null &
until_true '[ -n "$(ss -Hltn "sport = :8080")" ]' 'another program listens'
sed -i '/^SERVICE_HOST=/d' /etc/redoubt/redoubt.env
rm -r /etc/systemd/system/redoubt.service.d && systemctl daemon-reload
systemctl restart "$unit" 2>/dev/null &
until_true 'journalctl -u redoubt.service --no-pager | grep -q "127.0.0.1:8080 (SERVICE_HOST, SERVICE_PORT): the port is already in use"' 'a taken port is a failed start'
redoubt doctor >/root/out 2>/root/err
grep -q 'a program of nobody listens on 127.0.0.1:8080' /root/out || fail "doctor names the user: $(cat /root/out)"
kill "$(pgrep -f 'socket-activate -l 127.0.0.1:8080')"
until_true '[ "$(systemctl is-active $unit)" = active ]' 'it starts by itself when the port is free'
echo 'impostor: a taken port fails the start, doctor names its user, and the service starts when the port is free'
