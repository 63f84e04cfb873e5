import type { Named } from './index.ts';

export const MALICIOUS_URLS: Named = {
  'a name in front of the real host': 'http://www.paypal.com@198.51.100.7/login',
  'a name as a subdomain': 'https://paypal.com.secure-account-update.top/signin',
  'a misspelt name': 'https://www.paypa1.com/login',
  'letters of another alphabet': 'https://www.gооgle.com/',
  'a page on a free host': 'https://microsoft-login.weebly.com/',
  'a program at an address': 'http://198.51.100.7:8081/bins/update.exe',
  'an address as a number': 'http://3325256711/a',
  script: 'javascript:alert(document.cookie)',
  'a page in a folder of a CMS': 'http://shop.example/wp-includes/css/secure/login/verify.html',
  'an injection in the query': "https://shop.example/?id=1'%20UNION%20SELECT%201,2--%20",
  'a redirect to another host': 'https://www.google.com/url?q=https://apple.com-id-locked.example.xyz/verify',
  'two letters that look like one': 'https://www.arnazon.com/ap/signin',
  'an encoded name in front of the real host': 'https://paypal.com%40evil.example/login',
  'a form that knows its visitor': 'https://share-file.example.net/login.php?email=joe@corp.example&t=1',
  'a domain in the path of another host': 'https://secure-login.example.org/www.paypal.com/webscr',
  'a program that passes for a document': 'https://files.example.org/d/invoice.pdf.scr',
  'a page that passes for a picture': 'https://shop.example.org/gallery/photo.jpg.php',
  'a library that passes for a text': 'https://shop.example.org/d/notes.txt.dll',
};

export const CLEAN_URLS: Named = {
  'a home page': 'https://www.example.org/',
  'an article': 'https://en.wikipedia.org/wiki/Web_application_firewall',
  'a service itself': 'https://www.paypal.com/signin',
  'a repository': 'https://github.com/oven-sh/bun/issues/1234',
  'a product': 'https://shop.example.co.uk/products/blue-mug?variant=42',
  'a plugin': 'https://wordpress.org/plugins/contact-form-7/',
  'a local address': 'http://localhost:8080/docs',
  'a name with an umlaut': 'https://xn--mller-kva.example/shop',
  'a login that leads to another domain of its own':
    'https://id.example.com/login?continue=https%3A%2F%2Facme.example.net%2Flogin',
  'a link from a mail':
    'https://app.example.com/reset-password?token=0a1b2c3d4e5f60718293a4b5&email=anna%40example.com',
  'an article on a free host': 'https://kitchen.blogspot.com/2024/05/pasta-with-pesto.html',
  'a page for administrators': 'https://shop.example.com/wp-admin/post.php?post=12&action=edit',
  'a page in an archive': 'https://web.archive.org/web/20200101000000/http://example.com/login.php',
  'a login that leads back':
    'https://sso.example.edu/login?service=https%3A%2F%2Fmoodle.example.edu%2Findex.php',
  'a picture in a newer format': 'https://media.example.org/2026/photo.jpg.webp',
  'a signature of a document': 'https://docs.example.org/doc.pdf.asc',
  'a signature in another form': 'https://docs.example.org/doc.pdf.sig',
  'notes that are compressed': 'https://docs.example.org/notes.txt.gz',
  'a page about a picture': 'https://media.example.org/a.jpg.html',
  'a sum of a picture': 'https://media.example.org/disk.png.sha256',
};
