# Runs inside the sandbox, which has no route, on a host that has nothing of the service yet: the steps of docs/air-gap.md, each as it stands.
set -u
fail() { echo "FAILED: $1"; tail -n 20 /root/out; journalctl -u 'redoubt*' --no-pager | tail -20; exit 1; }
[ -z "$(ip route)" ] || fail 'there is no route'
userdel redoubt 2>/dev/null; groupdel redoubt 2>/dev/null
rm -rf /etc/redoubt /var/lib/redoubt /usr/local/bin/redoubt /etc/systemd/system/redoubt*
for step in /root/steps/*; do
  if [ "${step##*/}" = 6 ]; then
    # The host is lost: this one stands for the next.
    systemctl disable --quiet --now redoubt redoubt-backup.timer && dpkg -P redoubt >/root/out 2>&1 && rm -rf /var/lib/redoubt || fail 'the host is lost'
  fi
  bash -euo pipefail -c "export SERVICE_CONFIG=/etc/redoubt/redoubt.env; . $step" >/root/out 2>&1 || fail "step ${step##*/}"
  case ${step##*/} in
    3) redoubt feed trust list --json | grep -q '"counts"' || fail 'the feed of the other installation counts' ;;
    6) redoubt license list --json | grep -q '"lic_1"' && grep -q THREAT_FEED /etc/redoubt/redoubt.env || fail 'everything is back' ;;
    7) grep -q 'redoubt 9.9.9' /root/out && curl -fs http://127.0.0.1:8080/readyz | grep -q '"ready"' || fail 'the newer one serves' ;;
    8) grep -q lic_1 /root/out && [ -z "$(dpkg -V redoubt)" ] || fail 'the one before serves' ;;
  esac
  echo "${step##*/}: done"
done
