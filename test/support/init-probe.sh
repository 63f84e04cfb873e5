# Runs inside the sandbox, on a host that has nothing of the service yet; each line it prints is a guarantee that held.
set -u
fail() { echo "FAILED: $1"; tail -n 20 /root/out /root/err; journalctl -u 'redoubt*' --no-pager | tail -20; exit 1; }
init() { "$@" init --systemd >/root/out 2>/root/err; }
units='redoubt.service redoubt@.service redoubt-admin.socket redoubt-admin.service redoubt-backup.service redoubt-backup.timer'
things() {
  find /etc/passwd /etc/group /etc/redoubt /usr/local/bin/redoubt /var/lib/redoubt/installation.key /etc/systemd/system \
    -printf '%p %i %m %U:%G %s %T@\n'
}
made() { sed -n 's/^created //p' /root/out | tr '\n' ' '; }
kept() { sed -n 's/^kept //p' /root/out | tr '\n' ' '; }

userdel redoubt 2>/dev/null
groupdel redoubt 2>/dev/null
rm -rf /etc/redoubt /var/lib/redoubt /usr/local/bin/redoubt /etc/systemd/system/redoubt*
before=$(cat /etc/passwd /etc/group)
cp /root/redoubt /srv/redoubt
init setpriv --reuid 65534 --regid 65534 --clear-groups /srv/redoubt
[ $? = 2 ] && grep -q 'as root' /root/err || fail 'only root does it'
init env SERVICE_DATA_DIR=/srv/data /root/redoubt
[ $? = 2 ] && grep -q /var/lib/redoubt /root/err || fail 'the units know one data directory'
[ "$before" = "$(cat /etc/passwd /etc/group)" ] && [ ! -e /srv/data ] && [ ! -e /etc/redoubt ] || fail 'what is refused makes nothing'
echo 'refused: for other users and other data directories, without a trace'

mv /usr/sbin/useradd /root/useradd
init /root/redoubt
[ $? = 1 ] && grep -q 'useradd .*no such command.*another way' /root/err && [ "$(made)" = 'group redoubt ' ] || fail 'it says what is missing'
mv /root/useradd /usr/sbin/useradd
echo 'missing: where a user cannot be made it says what to do'

umask 077
init /root/redoubt || fail 'it is done'
in_etc=$(for unit in $units; do printf '/etc/systemd/system/%s ' "$unit"; done)
data='/var/lib/redoubt/redoubt.sqlite /var/lib/redoubt/installation.key '
rest="/var/lib/redoubt /etc/redoubt/redoubt.env /usr/local/bin/redoubt $in_etc$data"
[ "$(made)" = "user redoubt $rest" ] && [ "$(kept)" = 'group redoubt ' ] && [ ! -s /root/err ] || fail 'it names what it made'
[ "$(tail -n 1 /root/out)" = 'next: systemctl enable --now redoubt redoubt-backup.timer' ] || fail 'it says what comes next'
[ "$(stat -c '%a %U:%G' /etc/redoubt /etc/redoubt/redoubt.env /var/lib/redoubt /usr/local/bin/redoubt $in_etc | tr '\n' ' ')" = \
  "755 root:root 640 root:redoubt 700 redoubt:redoubt 755 root:root $(printf '644 root:root %.0s' $units)" ] &&
  [ -z "$(find /var/lib/redoubt -mindepth 1 '(' -not -user redoubt -o -not -group redoubt -o -perm /077 ')')" ] ||
  fail 'everything belongs to whom it should'
cmp -s /root/redoubt /usr/local/bin/redoubt || fail 'the executable is whole'
for unit in $units; do cmp -s "/root/units/$unit" "/etc/systemd/system/$unit" || fail "$unit is ours"; done
[ "$(systemctl is-enabled $units | sort -u | tr '\n' ' ')$(systemctl is-active redoubt.service redoubt-backup.timer | sort -u)" = \
  'disabled static inactive' ] || fail 'nothing is enabled or started'
echo 'made: user, data, settings file, executable and units, nothing of it started'

systemctl enable --now redoubt redoubt-backup.timer >/dev/null 2>/root/err || fail 'what it says comes next works'
curl -s --max-time 5 http://127.0.0.1:8080/readyz | grep -q '"ready"' || fail 'the service is ready'
[ "$(systemctl is-active redoubt-backup.timer)" = active ] &&
  [ -n "$(systemctl show redoubt-backup.timer -p NextElapseUSecRealtime --value)" ] || fail 'the timer knows its next time'
echo 'enabled: the service answers, and the timer waits for its time'

systemctl start redoubt-backup.service 2>/root/err || fail 'the unit makes a backup beside the server'
backup=$(ls /var/lib/redoubt/backups/redoubt-*.tar) && redoubt backup verify "$backup" >/root/out 2>/root/err || fail 'it is sound'
install -d -o redoubt -g redoubt -m 700 /srv/copies && mkdir /etc/systemd/system/redoubt-backup.service.d
printf '[Service]\nReadWritePaths=/srv/copies\nExecStart=\nExecStart=%s\n' \
  '/usr/local/bin/redoubt backup create --to /srv/copies --keep-daily 7' >/etc/systemd/system/redoubt-backup.service.d/to.conf
systemctl daemon-reload && systemctl start redoubt-backup.service 2>/root/err || fail 'the unit of the backup lets it write elsewhere'
[ "$(stat -c '%a %U:%G' /srv/copies/*.tar)" = '600 redoubt:redoubt' ] || fail 'it writes where the drop-in says'
echo 'backup: its unit makes one beside the server, also on another disk'

redoubt license issue --plan free >/dev/null 2>/root/err && redoubt restore /srv/copies/*.tar >/dev/null 2>/root/err &&
  fail 'nothing is restored beside the server'
systemctl stop redoubt && redoubt restore /srv/copies/*.tar >/root/out 2>/root/err && systemctl start redoubt || fail 'a backup is restored by root'
[ -z "$(find /var/lib/redoubt -mindepth 1 '(' -not -user redoubt -o -not -group redoubt -o -perm /077 ')')" ] || fail 'nothing of root stays'
[ "$(redoubt license list --json)" = '[]' ] && curl -s --max-time 5 http://127.0.0.1:8080/readyz | grep -q '"ready"' || fail 'it is as it was'
echo 'restore: by root, while the server is stopped'

before=$(things)
init /usr/local/bin/redoubt || fail 'a second time is fine'
[ "$(kept)" = "group redoubt user redoubt $rest" ] && [ -z "$(made)" ] && [ ! -s /root/err ] || fail 'a second time it names what is there'
[ "$before" = "$(things)" ] || fail 'a second time it changes nothing'
echo '# mine' >>/etc/systemd/system/redoubt.service
echo another >/root/another && mv /root/another /usr/local/bin/redoubt
before=$(things)
/root/redoubt init --systemd --json >/root/out 2>/root/err || fail 'what differs is no failure'
[ "$(tr -d '\n ' </root/out | sed 's/"kept":.*],/"kept":[...],/')" = \
  '{"made":[],"kept":[...],"next":"systemctlenable--nowredoubtredoubt-backup.timer"}' ] || fail 'JSON has the same'
grep -q '^redoubt: /etc/systemd/system/redoubt.service differs .*remove it' /root/err &&
  grep -q '^redoubt: /usr/local/bin/redoubt is another' /root/err && [ "$(wc -l </root/err)" = 2 ] || fail 'it says what differs'
[ "$before" = "$(things)" ] || fail 'what differs stays'
rm /etc/systemd/system/redoubt.service
init /root/redoubt && [ "$(made)" = '/etc/systemd/system/redoubt.service ' ] || fail 'what was removed is made anew'
[ "$(systemctl show redoubt.service -p NeedDaemonReload --value)" = no ] || fail 'systemd knows of it'
echo 'again: says what is there and what differs, and changes nothing'
