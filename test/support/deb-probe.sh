# Runs inside the sandbox, on a host that has nothing of the service yet; each line it prints is a guarantee that held.
set -u
fail() { echo "FAILED: $1"; tail -n 20 /root/out /root/err; journalctl -u 'redoubt*' --no-pager | tail -20; exit 1; }
quietly() { "$@" >/root/out 2>/root/err; }
pid() { systemctl show redoubt -p MainPID --value; }
ready() { curl -s --max-time 5 http://127.0.0.1:8080/readyz | grep -q '"ready"'; }

userdel redoubt 2>/dev/null; groupdel redoubt 2>/dev/null
rm -rf /etc/redoubt /var/lib/redoubt /usr/local/bin/redoubt /etc/systemd/system/redoubt*

umask 077
quietly dpkg -i /root/1.deb || fail 'it installs'
[ -z "$(dpkg -V redoubt)" ] || fail 'what is installed is what was packed'
[ "$(stat -c '%a %U:%G' /etc/redoubt /etc/redoubt/redoubt.env /var/lib/redoubt | tr '\n' ' ')" = \
  '755 root:root 640 root:redoubt 700 redoubt:redoubt ' ] || fail 'everything belongs to whom it should'
[ "$(systemctl is-enabled redoubt)" = disabled ] && [ "$(systemctl is-active redoubt)" = inactive ] || fail 'nothing is started'
[ -z "$(ls -A /var/lib/redoubt)" ] || fail 'no keys are made, which clones of a host would share'
man -w redoubt >/dev/null || fail 'the manual is there'
echo 'installed: with its user, folders and manual, and nothing started'

export SERVICE_CONFIG=/etc/redoubt/redoubt.env
quietly redoubt init && quietly redoubt init --systemd || fail 'init works beside the package'
[ ! -e /usr/local/bin/redoubt ] && [ ! -e /etc/systemd/system/redoubt.service ] || fail 'init lays nothing over the package'
quietly systemctl enable --now redoubt redoubt-backup.timer || fail 'the units start'
ready || fail 'the service is ready'
quietly systemctl start redoubt-backup.service || fail 'it is backed up'
echo '#SERVICE_PORT=8080' >>/etc/redoubt/redoubt.env
before=$(find /var/lib/redoubt -name installation.key -printf '%i %s %T@') settings=$(sha256sum /etc/redoubt/redoubt.env)
echo 'served: by the units of the package'

was=$(pid)
quietly dpkg -i /root/2.deb || fail 'it upgrades'
[ "$(pid)" = "$was" ] && ready || fail 'what runs goes on'
grep -q 'systemctl restart redoubt' /root/out || fail 'it says that a restart is needed'
[ "$(dpkg-query -W -f '${Version}' redoubt)" = 9.9.9 ] && [ -z "$(dpkg -V redoubt)" ] || fail 'it is the new version'
quietly redoubt license list || fail 'commands work beside the server before it is restarted'
REDOUBT_RESTART=1 quietly dpkg -i /root/2.deb || fail 'it upgrades and restarts'
[ "$(pid)" != "$was" ] && ready || fail 'it is restarted when told'
[ "$before" = "$(find /var/lib/redoubt -name installation.key -printf '%i %s %T@')" ] &&
  [ "$settings" = "$(sha256sum /etc/redoubt/redoubt.env)" ] || fail 'keys and settings stay'
echo 'upgraded: without a restart, and with one when told'

quietly dpkg -r redoubt || fail 'it is removed'
[ "$(systemctl is-active redoubt)" = inactive ] && [ ! -e /usr/bin/redoubt ] || fail 'it is gone and stopped'
[ -e /var/lib/redoubt/redoubt.sqlite ] && [ -e /etc/redoubt/redoubt.env ] || fail 'data and settings stay'
quietly dpkg -i /root/1.deb && quietly systemctl restart redoubt && ready || fail 'installed again it goes on with its data'
quietly dpkg -P redoubt || fail 'it is purged'
[ ! -e /etc/redoubt ] && [ -z "$(find /etc/systemd /usr/share /usr/lib/systemd -name '*redoubt*')" ] || fail 'no settings and links stay'
[ -e /var/lib/redoubt/installation.key ] && grep -q '/var/lib/redoubt stays' /root/out || fail 'data and keys stay, and it says so'
echo 'removed: data and keys stay, also when it is purged'
