import type { Named } from './index.ts';

const line = (target: string, status = 200, method = 'GET', agent = 'Mozilla/5.0') =>
  `198.51.100.7 - - [21/Nov/2026:07:00:00 +0000] "${method} ${target} HTTP/1.1" ${status} 512 "-" "${agent}"`;
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
};
