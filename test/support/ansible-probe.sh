# Runs inside the sandbox, on a host that has nothing of the service yet; each line it prints is a guarantee that held.
set -u
fail() { echo "FAILED: $1"; tail -n 40 /root/out; journalctl -u redoubt --no-pager | tail -20; exit 1; }
export HOME=/root ANSIBLE_LOCALHOST_WARNING=False ANSIBLE_NOCOLOR=1 ANSIBLE_ROLES_PATH=/root/ansible/roles
cd /root/ansible
# The values are those of a JSON object.
play() {
  ansible-playbook --connection local --inventory 'redoubt,' --extra-vars "$1" \
    --extra-vars ansible_python_interpreter=/usr/bin/python3 play.yml >/root/out 2>&1
}
changed() { sed -n 's/.* changed=\([0-9]*\) .*/\1/p' /root/out; }
settings() { printf '{"redoubt_release": "/root/%s", "redoubt_settings": {%s}}' "$1" "$2"; }
printf -- '- hosts: all\n  roles: [redoubt]\n' >play.yml

userdel redoubt 2>/dev/null
groupdel redoubt 2>/dev/null
rm -rf /etc/redoubt /var/lib/redoubt /usr/local/bin/redoubt /etc/systemd/system/redoubt*

play '{}' && fail 'a run without a release is refused'
grep -q 'redoubt_release is not set' /root/out && [ ! -e /etc/redoubt ] || fail 'it says what is missing'
echo 'refused: without a release, and nothing was made'

first='"SERVICE_PORT": 8090, "SERVICE_SURFACE_SCANS": 0, "SERVICE_SECURITY_CONTACT": "security@example.com"'
play "$(settings one "$first")" || fail 'it installs'
curl -s --max-time 5 http://127.0.0.1:8090/.well-known/security.txt | grep -q 'mailto:security@example.com' || fail 'it serves with its settings'
[ "$(systemctl is-enabled redoubt redoubt-backup.timer | sort -u)$(systemctl is-active redoubt redoubt-backup.timer | sort -u)" = enabledactive ] ||
  fail 'both are enabled and active'
[ "$(stat -c '%a %U:%G' /etc/redoubt/redoubt.env)" = '640 root:redoubt' ] || fail 'the settings are private'
SERVICE_CONFIG=/etc/redoubt/redoubt.env redoubt doctor >/root/out 2>&1 || fail 'doctor finds nothing'
echo 'installed: ready, enabled, with its settings'

pid=$(systemctl show --value --property MainPID redoubt)
play "$(settings one "$first")" || fail 'it runs again'
[ "$(changed)" = 0 ] && [ "$pid" = "$(systemctl show --value --property MainPID redoubt)" ] || fail 'nothing has changed'
echo 'repeated: without a change'

play "$(settings one "$first, \"SERVICE_LOG_LEVEL\": \"debug\"")" || fail 'a setting is changed'
[ "$pid" = "$(systemctl show --value --property MainPID redoubt)" ] && grep -q LOG_LEVEL=debug /etc/redoubt/redoubt.env || fail 'a reload is enough'
play "$(settings one '"SERVICE_PORT": 8091')" || fail 'a port is changed'
[ "$pid" != "$(systemctl show --value --property MainPID redoubt)" ] && curl -sf --max-time 5 http://127.0.0.1:8091/readyz >/dev/null ||
  fail 'a port takes a restart'
echo 'changed: by a reload, and by a restart where one is needed'

before=$(cat /etc/redoubt/redoubt.env)
play "$(settings one '"SERVICE_PORT": "no"')" && fail 'a wrong setting is refused'
[ "$before" = "$(cat /etc/redoubt/redoubt.env)" ] && curl -sf --max-time 5 http://127.0.0.1:8091/readyz >/dev/null || fail 'the service goes on'
echo 'wrong: a wrong setting reaches neither the file nor the service'

play "$(settings two '"SERVICE_PORT": 8091')" && fail 'a release without a signature is refused'
cp /root/two.sig /root/two.minisig
play "$(settings two '"SERVICE_PORT": 8091')" || fail 'it updates'
cmp -s /root/two /usr/local/bin/redoubt && curl -sf --max-time 5 http://127.0.0.1:8091/readyz >/dev/null || fail 'the newer one serves'
echo 'updated: to a signed release'
