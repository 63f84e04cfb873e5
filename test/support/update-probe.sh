# Runs inside the sandbox, where the unit runs the release before; each line it prints is a guarantee that held.
set -u
redoubt=/usr/local/bin/redoubt data=/var/lib/redoubt unit=redoubt.service
fail() { echo "FAILED: $1"; cat /root/out /root/err; journalctl -u "$unit" --no-pager | tail -20; ls -l /usr/local/bin $data; exit 1; }
quietly() { "$@" >/root/out 2>/root/err; }
ends_with() { local wanted=$1; shift; quietly "$@"; [ $? = "$wanted" ]; }
ready() { curl -s --max-time 5 http://127.0.0.1:8080/readyz | grep -q '"ready"'; }
is() { [ "$($redoubt version --json | sed -n 's/.*"version": "\(.*\)".*/\1/p')" = "$1" ]; }
pid() { systemctl show "$unit" -p MainPID --value; }
licenses() { SERVICE_CONFIG=/etc/redoubt/redoubt.env SERVICE_DATA_DIR=$data $redoubt license list --json | grep -c '"license_id"'; }
issue() { quietly env SERVICE_DATA_DIR=$data $redoubt license issue --plan "$1"; }
as_before() { is 1.0.0 && ready && [ "$(licenses)" = 1 ] && [ -z "$(ls $data | grep before-v)" ] && ! ls /usr/local/bin | grep 'redoubt[.]' | grep -qv update-lock; }

[ -e /dev/ptmx ] || { ln -s pts/ptmx /dev/ptmx; systemctl restart "$unit"; }
ready || fail 'the release before is ready'
issue pro || fail 'a license is issued'
was=$(pid)
ends_with 1 setpriv --reuid redoubt --regid redoubt --clear-groups $redoubt update /root/two || fail 'only root updates'
issue pro
ends_with 1 $redoubt update /root/two && grep -q 'trial migration of a copy failed' /root/err || fail 'a migration that fails on a copy is refused'
[ "$(pid)" = "$was" ] && is 1.0.0 && [ "$(licenses)" = 2 ] && [ ! -e $redoubt.previous ] || fail 'nothing has changed'
quietly sed -i 's/^$/SERVICE_PORT=many/' /etc/redoubt/redoubt.env
ends_with 1 $redoubt update /root/two && grep -q 'would not start with these settings' /root/err || fail 'settings that keep it from starting are reported first'
[ "$(pid)" = "$was" ] && is 1.0.0 || fail 'nothing has changed'
sed -i 's/^SERVICE_PORT=many$//' /etc/redoubt/redoubt.env
ends_with 1 env SERVICE_PORT=9000 $redoubt update /root/two && grep -q 'does not respond on' /root/err || fail 'another port than that of the service is noticed before'
[ "$(pid)" = "$was" ] && is 1.0.0 || fail 'nothing has changed'
echo 'refused: while the service goes on untouched'

# One license of each plan from now on, so that the migration can be made.
quietly sh -c "systemctl stop $unit && rm -rf $data/* && systemctl start $unit" && issue pro || fail 'it begins anew'
for how in start hang unready; do
  setpriv --reuid redoubt --regid redoubt --clear-groups sh -c "echo $how >$data/fails"
  ends_with 3 $redoubt update --wait 5 /root/two || fail "one that fails ($how) is rolled back"
  grep -q 'redoubt 1.0.0 is installed again' /root/out && grep -q 'was restarted and is ready' /root/out || fail "it says so ($how)"
  as_before || fail "everything is as before ($how)"
  [ "$(find $data/before-rollback-* -name redoubt.sqlite -user redoubt | wc -l)" = 1 ] || fail 'the newer database is kept'
  rm -r $data/before-rollback-* $data/fails
  echo "$how: rolled back, the schema as well"
done

setpriv --reuid redoubt --regid redoubt --clear-groups sh -c "echo hang >$data/fails"
setsid sh -c "$redoubt update --wait 5 /root/two >/root/out 2>/root/err; echo \$? >/root/ended" &
for _ in $(seq 200); do [ -e $redoubt.updating ] && grep -q restarting /root/err && break; sleep 0.05; done
ends_with_beside() { $redoubt update "$@" >/root/out2 2>/root/err2; [ $? = 1 ] && grep -q 'another update is running' /root/err2; }
ends_with_beside /root/two && ends_with_beside --back || fail 'nobody comes between while one is watched'
pkill -HUP -f '^/usr/local/bin/redoubt update'
for _ in $(seq 600); do [ -e /root/ended ] && break; sleep 0.1; done
[ "$(cat /root/ended)" = 3 ] && as_before || fail 'a terminal that goes away ends no update'
rm -r $data/before-rollback-* $data/fails
echo 'hang-up: it goes back although its terminal has gone'

ends_with 0 $redoubt update --json /root/two && grep -q '"service": "ready"' /root/out || fail 'a good one is installed'
is 1.1.0 && ready && [ "$(pid)" != "$was" ] && [ "$(licenses)" = 1 ] && [ -x $redoubt.previous ] && [ ! -e $redoubt.updating ] || fail 'it serves'
was=$(pid)
ends_with 0 $redoubt update /root/two && [ "$(pid)" = "$was" ] || fail 'the same again does nothing'
ends_with 1 $redoubt update /root/one && [ "$(pid)" = "$was" ] || fail 'an older one is refused'
echo 'updated: migrated, restarted and ready'

issue starter || fail "another license is issued"
ends_with 1 $redoubt update --back && grep -q -- --older-data /root/err && [ "$(pid)" = "$was" ] || fail 'newer data are not left without a word'
kill -STOP "$(pid)"
ends_with 0 $redoubt update --back --older-data && is 1.0.0 && ready && [ "$(licenses)" = 1 ] || fail 'it goes back, also from one that hangs'
rm -r $data/before-rollback-*
quietly systemctl stop "$unit"
ends_with 0 $redoubt update /root/two && is 1.1.0 && grep -q 'was not running' /root/out || fail 'what is stopped stays stopped'
[ "$(systemctl is-active "$unit")" = inactive ] || fail 'it is stopped'
ends_with 0 $redoubt update --back && is 1.0.0 && [ "$(systemctl is-active "$unit")" = inactive ] || fail 'and goes back as well'
quietly systemctl start "$unit" && as_before || fail 'it starts'
echo 'back: by hand, with the data from before only when told'

# As a host that loses its power while the new one starts: nobody watches any more.
setpriv --reuid redoubt --regid redoubt --clear-groups sh -c "echo hang >$data/fails"
(setsid $redoubt update /root/two >/root/out 2>/root/err &)
for _ in $(seq 600); do ls $data | grep -q before-v && break; sleep 0.1; done
pkill -KILL -f '^/usr/local/bin/redoubt update' && quietly systemctl kill -s KILL "$unit"
SERVICE_CONFIG= $redoubt doctor | grep -q update-unfinished || fail 'doctor tells of it'
rm $data/fails && quietly systemctl restart "$unit" && ready && is 1.1.0 && issue starter || fail 'the newer one serves all the same'
setpriv --reuid redoubt --regid redoubt --clear-groups sh -c "echo hang >$data/fails"
ends_with 1 $redoubt update --wait 5 /root/two && is 1.1.0 && [ "$(licenses)" = 2 ] || fail 'what was acknowledged since is not taken back by itself'
ends_with 0 $redoubt update --back --older-data && rm $data/fails && as_before || fail 'it goes back by hand'
echo 'power: doctor tells of an update that was cut off, and it is undone'
