# Runs inside the sandbox, on a host that has nothing of the service yet; each line it prints is a guarantee that held.
set -u
data=/var/lib/redoubt
fail() { echo "FAILED: $1"; cat /root/out /root/err; journalctl -u redoubt --no-pager | tail -20; ls -l /usr/bin/redoubt*; exit 1; }
quietly() { "$@" >/root/out 2>/root/err; }
ends_with() { local wanted=$1; shift; quietly "$@"; [ $? = "$wanted" ]; }
ready() { curl -s --max-time 5 http://127.0.0.1:8080/readyz | grep -q '"ready"'; }
is() { [ "$(redoubt version --json | sed -n 's/.*"version": "\(.*\)".*/\1/p')" = "$1" ]; }
installed() { [ "$(dpkg-query -W -f '${Version}' redoubt)" = "$1" ]; }

userdel redoubt 2>/dev/null; groupdel redoubt 2>/dev/null
rm -rf /etc/redoubt $data /usr/local/bin/redoubt /etc/systemd/system/redoubt*
quietly dpkg -i /root/one.deb && quietly env SERVICE_CONFIG=/etc/redoubt/redoubt.env redoubt init || fail 'it installs'
quietly systemctl enable --now redoubt && ready && is 1.0.0 || fail 'it serves'

ends_with 1 redoubt update /root/two && grep -q 'Use the .deb file' /root/err && is 1.0.0 || fail 'a bare executable takes no place of a package'
quietly setpriv --reuid redoubt --regid redoubt --clear-groups sh -c "echo start >$data/fails"
ends_with 3 redoubt update --wait 5 /root/two.deb && is 1.0.0 && ready || fail 'one that fails is rolled back'
grep -q 'dpkg' /root/out && installed 1.1.0 || fail 'what dpkg believes is told'
rm -r $data/fails $data/before-rollback-*
echo 'back: the executable of a package that fails is put back'

ends_with 0 redoubt update /root/two.deb && is 1.1.0 && ready && installed 1.1.0 && [ -z "$(dpkg -V redoubt)" ] || fail 'a good one is installed'
ends_with 0 redoubt update --back --older-data && is 1.0.0 && ready || fail 'it goes back by hand'
rm -r $data/before-rollback-*
quietly dpkg -i /root/one.deb && is 1.0.0 && installed 1.0.0 && [ -z "$(dpkg -V redoubt)" ] || fail 'the older package puts it right for dpkg'
echo 'updated: by its package, and back'
