import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import type { Browser } from '../../support/console.ts';
import { foreignIn, tagsOf } from '../../support/markup.ts';
import { portalOf } from '../../support/portal.ts';
import { type RunningService, start } from '../../support/service.ts';
import { everythingKept, rows, stored } from '../../support/store.ts';

const PATH = '/portal/analysis';
const MARK = 'zq7marksecretparameter';
const SHELL = `<?php @eval($_POST["${MARK}"]);`;

let service: RunningService;
let license: string;
let browser: Browser;
beforeAll(async () => {
  // Its own process: every file in its data directory is read.
  service = await start('binary', {
    SERVICE_RATE_IP_PER_MINUTE: '100000',
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
  });
  ({ license, browser } = await newTenant());
});
afterAll(() => service.end());

async function newTenant(plan = 'pro') {
  const { key, license_id } = await service.issue('--plan', plan);
  return { license: license_id, browser: await portalOf(service, key) };
}
const entries = (of: string) =>
  rows(service, "select * from audit_log where action = 'analysis.ask' and actor = ?", `tenant:${of}`);

test('an analysis is answered with an audit entry of its verdict, and its content is stored nowhere', async () => {
  const page = await browser.post(PATH, { input_type: 'code', content: SHELL, site: '' });
  expect(page.status).toBe(200);
  for (const text of ['malicious', 'web shell', 'request input run as PHP, line 1', 'the built-in engine'])
    expect(page.text).toContain(text);
  // The line that was found is shown, and is in no record.
  expect(page.text).toContain(`    1  &lt;?php @eval($_POST[&quot;${MARK}&quot;]);`);
  expect(page.text).toContain('<option value="code" selected');
  expect(entries(license)).toEqual([
    expect.objectContaining({
      subject: license,
      request_id: page.headers.get('x-request-id'),
      after: expect.stringContaining('malicious'),
    }),
  ]);
  for (const kept of everythingKept(service)) expect(kept.includes(MARK)).toBe(false);
});

test('a content may contain any character', async () => {
  const page = await browser.post(PATH, { input_type: 'code', content: `\0${SHELL}`, site: '' });
  expect([page.status, page.text.includes('web shell')]).toEqual([200, true]);
});

test.each([
  ['a type with NUL', { input_type: 'code\0', content: 'x' }, 400],
  ['nothing', { input_type: 'code', content: '' }, 400],
  ['an unknown type', { input_type: 'zz', content: MARK }, 400],
  ['more than the limit of a form', { input_type: 'text', content: 'ä'.repeat(200_000) }, 413],
  ['a site that the tenant does not have', { input_type: 'text', content: MARK, site: 'a1b2c3d4' }, 404],
])('an analysis of %s is refused, and stores nothing', async (_, form: Record<string, string>, status) => {
  const before = stored(service);
  const page = await browser.post(PATH, form);
  expect(page.status).toBe(status);
  expect(page.text).toContain('notice bad');
  if (form.content === MARK) expect(page.text).toMatch(new RegExp(`<textarea[^>]*>${MARK}</textarea>`));
  expect(stored(service)).toEqual(before);
});

/** A form with files, as a browser sends it. */
function formOf(fields: Readonly<Record<string, string>>, files: readonly File[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files) form.append('file', file, file.name);
  return form;
}
const upload = (fields: Readonly<Record<string, string>>, files: readonly File[], as = browser) =>
  as.send(PATH, formOf({ input_type: 'code', content: '', site: '', ...fields }, files));
const rowIn = (text: string, name: string) =>
  text
    .split('<tr>')
    .find((row) => row.includes(`<th scope="row">${name}</th>`))
    ?.replaceAll(/<[^>]*>/g, ' ');

describe('files', () => {
  test('have one verdict each, by name, the worst first; findings are shown, and stored nowhere', async () => {
    const tenant = await newTenant();
    const clean = new File(['<?php\necho "Hello";\n'], 'index.php');
    const bad = new File([`<?php\n\n// x\n@eval($_POST["${MARK}"]);\n`], 'x.php');
    const { status, text } = await upload({}, [clean, bad], tenant.browser);
    expect(status).toBe(200);
    expect(rowIn(text, 'index.php')).toContain('nothing suspicious');
    expect(rowIn(text, 'x.php')).toContain('malicious');
    expect(text.indexOf('>x.php<')).toBeLessThan(text.indexOf('>index.php<'));
    expect(text).toContain(`    4  @eval($_POST[&quot;${MARK}&quot;]);`);
    expect(entries(tenant.license)).toHaveLength(2);
    for (const stored of everythingKept(service))
      expect([stored.includes(MARK), stored.includes('x.php')]).toEqual([false, false]);
  });

  test('in any encoding and large ones are analyzed, with pasted content under its own name', async () => {
    const latin = new File([Buffer.from(`<?php /* \xfc */ @eval($_POST["a"]);`, 'latin1')], 'latin.php');
    const large = new File([`<?php\n${'// x\n'.repeat(30_000)}@eval($_POST["a"]);`], 'large.php');
    const { status, text } = await upload({ name: 'uploads/a.php', content: SHELL }, [latin, large]);
    expect(status).toBe(200);
    for (const name of ['latin.php', 'large.php', 'uploads/a.php'])
      expect([name, rowIn(text, name)]).toEqual([name, expect.stringContaining('malicious')]);
    expect(text).toContain('30002  @eval(');
    expect(text).toContain('name="name" value="uploads/a.php"');
  });

  test('with hostile names and contents stay text, and names lose their folders', async () => {
    const names = ['../../etc/<b>x.php', 'C:\\a\\"onx=1.php', 'a\u202ephp.exe', '\u200b'];
    const files = names.map((name) => new File([SHELL, '</pre><script>alert(1)</script>'], name));
    const { text } = await upload({}, files);
    expect((await tagsOf(text)).map(foreignIn).filter(Boolean)).toEqual([]);
    for (const shown of ['&lt;b&gt;x.php', '%22onx=1.php', 'aphp.exe', 'File without a name'])
      expect(rowIn(text, shown)).toContain('malicious');
  });

  test('that are empty or archives do not hide the others, and an archive is not called clean', async () => {
    const files = [
      new File([''], '.htaccess'),
      new File([SHELL], 'x.php'),
      new File([gzipSync(SHELL)], 'x.php.gz'),
      new File(['PK\x03\x04', 'x'.repeat(50)], 'x.zip'),
    ];
    const { status, text } = await upload({}, files);
    expect(status).toBe(200);
    expect(rowIn(text, '.htaccess')).toContain('nothing suspicious');
    expect(rowIn(text, 'x.php')).toContain('malicious');
    for (const name of ['x.php.gz', 'x.zip'])
      expect(rowIn(text, name)).toMatch(/not unpacked.*This is an archive/s);
    const [one] = files.slice(3);
    expect((await upload({}, one ? [one] : [])).text).toMatch(/not unpacked.*This is an archive/s);
  });

  test.each(['utf16le', 'utf-16be', 'utf8'] as const)(
    'with a byte order mark are read in their encoding: %s',
    async (encoding) => {
      const bytes = Buffer.from(`\ufeff${SHELL}`, encoding === 'utf-16be' ? 'utf16le' : encoding);
      const file = new File([encoding === 'utf-16be' ? bytes.swap16() : bytes], 'x.php');
      expect((await upload({}, [file])).text).toMatch(/badge bad">malicious/);
    },
  );

  test.each(['filename=""', 'filename=', 'filename="\u200b"', 'filename="/"', 'filename="a/"'])(
    'without a name (%s) are no fault: an empty one, as browsers send it without a choice, leaves pasted content to be checked',
    async (name) => {
      const type = 'Content-Type: application/octet-stream';
      const send = (content: string, file: string) => {
        const fields = Object.entries({ input_type: 'code', content, site: '' }).map(
          ([field, value]) => `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
        );
        const last = `--b\r\nContent-Disposition: form-data; name="file"; ${name}\r\n${type}\r\n\r\n${file}\r\n--b--\r\n`;
        return browser.send(PATH, fields.join('') + last, {
          'content-type': 'multipart/form-data; boundary=b',
        });
      };
      const pasted = await send(SHELL, '');
      expect([pasted.status, pasted.text]).toEqual([200, expect.stringContaining('Pasted content')]);
      const unnamed = await send('', SHELL);
      expect([unnamed.status, unnamed.text]).toEqual([200, expect.stringContaining('File without a name')]);
      expect(unnamed.text).toMatch(/badge bad">malicious/);
    },
  );

  test.each([
    ['more than 20', Array.from({ length: 21 }, (_, at) => new File(['x'], `${at}`)), 400, 'more than 20'],
    ['more than 1 MiB', [new File(['x'.repeat(1_100_000)], 'a')], 413, 'larger than'],
    ['quotes of more than 1 MiB', [new File(['"'.repeat(600_000)], 'a')], 413, 'fewer files'],
  ])('%s are refused in words, and store nothing', async (_, files, status, words) => {
    const before = stored(service);
    const page = await upload({}, files);
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(words)]);
    expect(stored(service)).toEqual(before);
  });

  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['another boundary', 'multipart/form-data; boundary=a', '--b\r\n'],
    [
      'half a part',
      'multipart/form-data; boundary=a',
      '--a\r\nContent-Disposition: form-data; name="file"; filename="',
    ],
    ['a long boundary', `multipart/form-data; boundary=${'a'.repeat(500)}`, '--a--'],
  ])('of a form with %s are refused, and store nothing', async (_, type, body) => {
    const before = stored(service);
    const page = await browser.send(PATH, body, { 'content-type': type });
    expect(page.status).toBe(400);
    expect(stored(service)).toEqual(before);
  });
});

test('content that is kept for a correction stays text', async () => {
  const content = '</textarea><zz onzz=1><script>alert(1)</script>';
  for (const input_type of ['zz', 'code']) {
    const { text } = await browser.post(PATH, { input_type, content });
    expect((await tagsOf(text)).map(foreignIn).filter(Boolean)).toEqual([]);
  }
});

test('a plan without analyses shows the plan that includes them, and another origin starts none', async () => {
  const starter = await newTenant('starter');
  const before = stored(service);
  for (const page of [
    await starter.browser.get(PATH),
    await starter.browser.post(PATH, { input_type: 'code', content: SHELL }),
  ]) {
    expect(page.status).toBe(403);
    expect(page.text).toContain('Requires the plan pro');
  }
  const origin = { origin: 'https://evil.example' };
  expect((await browser.post(PATH, { input_type: 'code', content: SHELL }, origin)).status).toBe(403);
  expect([stored(service), entries(starter.license)]).toEqual([before, []]);
});

test('a license has 200 analyses a day, which limits the audit log', async () => {
  const { license: busy, browser: many } = await newTenant();
  const ask = () => many.post(PATH, { input_type: 'text', content: 'hello' });
  // Refused ones do not count.
  for (let refused = 0; refused < 5; refused += 1)
    expect((await many.post(PATH, { input_type: 'text', content: '' })).status).toBe(400);
  let page = await ask();
  for (let asked = 1; asked < 210 && page.status === 200; asked += 1) page = await ask();
  expect([page.status, page.text]).toEqual([429, expect.stringContaining('200 checks')]);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(60);
  expect(entries(busy)).toHaveLength(200);
});

test('forms that are sent together have no more analyses in a day', async () => {
  const { license: busy, browser: many } = await newTenant();
  const files = Array.from({ length: 20 }, (_, at) => new File(['hello'], `${at}.txt`));
  const ask = () => upload({ input_type: 'text' }, files, many);
  for (let asked = 0; asked < 9; asked += 1) expect((await ask()).status).toBe(200);
  const pages = await Promise.all(Array.from({ length: 4 }, ask));
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429]);
  expect(entries(busy)).toHaveLength(200);
});
