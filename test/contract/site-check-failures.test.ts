import { beforeAll, describe, expect, test } from 'bun:test';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type RunningService, sharedService, until } from '../support/service.ts';
import {
  canBeNobody,
  ORDINARY,
  refusal,
  SCRIPT,
  SHELL,
  SITE_CHECK,
  siteOf,
  standIn,
} from '../support/site-check.ts';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`part-${at}.php`, `${ORDINARY} // ${at}`]));
const isClosed = existsSync(SCRIPT) && (statSync(SCRIPT).mode & 0o004) === 0;

describe.skipIf(!SITE_CHECK.isThere)(`failures of the site check in PHP${SITE_CHECK.unlessThere}`, () => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await sharedService();
    key = (await service.issue('--plan', 'pro')).key;
  });

  test('a content that the service fails on is sent alone, reported as unchecked, and retried next time', async () => {
    let isWell = false;
    const poisoned = standIn((items) =>
      !isWell && items.some(({ content }) => content.includes('poison'))
        ? refusal(500, 'INTERNAL')
        : undefined,
    );
    const site = siteOf({ ...many(6), 'poison.php': '<?php // poison' });
    const first = await site.check(poisoned.url, 'key');
    expect(first.told).toMatchObject({ checked: 6, unchanged: 0, unchecked: 1, complete: true });
    expect([first.code, first.lines]).toEqual([3, ['unchecked 0 poison.php: INTERNAL']]);
    isWell = true;
    const second = await site.check(poisoned.url, 'key');
    expect(second.told).toMatchObject({ checked: 1, unchanged: 6, unchecked: 0 });
    expect([second.code, second.lines]).toEqual([0, []]);
    await poisoned.end();
  });

  test('a refusal unrelated to one content ends the run, and reports no file as unchecked', async () => {
    const site = siteOf({ ...many(6), 'shell.php': `<?php ${SHELL}` });
    const { code, lines, told } = await site.check(service.url, key, ['--site', 'http://a b']);
    expect([code, lines, told.error, told.unchecked]).toEqual([2, [], 'INVALID_PAYLOAD', 0]);
    expect(told.message).toContain('site_url: is not a domain');
    expect((await site.check(service.url, key)).told).toMatchObject({ checked: 7, findings: 1 });
  });

  test('the key and its plan are checked even without files to send', async () => {
    const site = siteOf({});
    const { key: lesser } = await service.issue('--plan', 'starter');
    expect((await site.check(service.url, key)).code).toBe(0);
    for (const [given, error] of [
      [lesser, 'PLAN_REQUIRED'],
      ['wrong', 'INVALID_KEY'],
    ] as const) {
      const { code, told } = await site.check(service.url, given);
      expect([code, told.error, told.requests]).toEqual([2, error, 1]);
    }
  });

  test('a wrong address is reported with the remedy', async () => {
    const site = siteOf(many(1));
    const moved = Bun.serve({
      port: 0,
      fetch: (request) => Response.redirect(`https://shop.example${new URL(request.url).pathname}`, 301),
    });
    const { told } = await site.check(String(moved.url), key);
    expect([told.error, told.message]).toEqual([
      'UNREACHABLE',
      expect.stringContaining('redirects to https://shop.example. Use that address as --url'),
    ]);
    await moved.stop(true);
    for (const url of [`${service.url}/docs`, service.adminUrl]) {
      const wrong = await site.check(url, key);
      expect([wrong.told.error, wrong.told.message]).toEqual([
        'NOT_FOUND',
        expect.stringContaining('Check --url'),
      ]);
    }
  });

  test.each([403, 413])('a content refused by a proxy with %d is unchecked alone', async (status) => {
    const between = standIn((items) =>
      items.some(({ content }) => content.includes('eval')) ? new Response('no', { status }) : undefined,
    );
    const site = siteOf({ ...many(6), 'shell.php': `<?php ${SHELL}` });
    const { told, lines } = await site.check(between.url, 'none');
    expect(told).toMatchObject({ checked: 6, unchecked: 1, complete: true });
    expect(lines).toEqual([`unchecked 0 shell.php: refused by a proxy or firewall, HTTP ${status}`]);
    await between.end();
  });

  test('a limit longer than a run is reported with its seconds', async () => {
    const limited = standIn(() => refusal(429, 'RATE_LIMITED', '', { 'retry-after': '60' }));
    const { told } = await siteOf(many(1)).check(limited.url, 'none', ['--seconds', '5']);
    expect([told.error, told.message]).toEqual([null, expect.stringContaining('the next try is in 60 s')]);
    await limited.end();
  });

  test('repeated findings are not new, also with a newer service, and changed ones are', async () => {
    let version = '1.0.0';
    let verdict = 'suspicious';
    const changing = Bun.serve({
      port: 0,
      async fetch(request) {
        if (request.method === 'GET') return Response.json({}, { headers: { 'x-service-version': version } });
        const { items } = (await request.json()) as { items: { content: string }[] };
        if (items.some(({ content }) => content.includes('poison'))) return refusal(500, 'INTERNAL');
        return Response.json({
          data: { items: items.map(() => ({ verdict, score: 60, reasons: ['odd'] })) },
        });
      },
    });
    const site = siteOf({ 'a.php': ORDINARY, 'b.php': ORDINARY, 'c.php': '<?php // poison' });
    const plugin = join(site.home, 'plugin.php');
    const isNew = (seconds = 0) => {
      writeFileSync(
        plugin,
        `<?php require '${SCRIPT}'; $settings = ['url' => '${changing.url}', 'key' => 'none', 'root' => '${site.root}', 'state' => '${site.state}', 'seconds' => ${seconds}];
        (new RedoubtSiteCheck($settings))->run(function ($found) { if ($found['is_new']) echo $found['path'], ' '; });`,
      );
      return new Promise<string>((resolve) => {
        const child = spawn('php', [plugin]);
        let output = '';
        child.stdout.on('data', (data) => {
          output += data;
        });
        child.once('close', () => resolve(output.trim()));
      });
    };
    expect(await isNew()).toBe('a.php b.php c.php');
    expect(await isNew()).toBe('');
    [version, verdict] = ['2.0.0', 'malicious'];
    expect(await isNew(0.001)).toBe('');
    expect(await isNew()).toBe('');
    site.write('b.php', `${ORDINARY} // changed`);
    expect(await isNew()).toBe('b.php');
    await changing.stop(true);
  });

  test('a list of false alarms with no path inside the root is refused', async () => {
    const site = siteOf({ 'a.php': `<?php ${SHELL}` });
    const folder = await site.check(service.url, key, ['--accept', site.home]);
    expect(folder.told.error).toBe('ACCEPT_NOT_READABLE');
    const accepted = join(site.home, 'accepted');
    for (const path of [join(site.root, 'a.php'), '../a.php']) {
      writeFileSync(accepted, `${'0'.repeat(64)}  ${path}\n`);
      const { told } = await site.check(service.url, key, ['--accept', accepted]);
      expect([told.error, told.message]).toEqual([
        'ACCEPT_MALFORMED',
        expect.stringContaining('relative to the root'),
      ]);
    }
  });

  test.skipIf(!canBeNobody || isClosed)('an unusable state file is reported with its owner', async () => {
    const site = siteOf({ 'a.php': ORDINARY });
    const loud = ['php', '-d', 'display_errors=1', '-d', 'error_reporting=-1'];
    const folder = await site.check(service.url, key, ['--state', site.home], loud);
    expect([folder.told.error, folder.told.message]).toEqual([
      'STATE_NOT_WRITABLE',
      expect.stringContaining('is not a file. Name one, such as '),
    ]);
    expect((await site.checkAsNobody(service.url, key)).code).toBe(0);
    chmodSync(site.state, 0o000);
    const { told } = await site.checkAsNobody(service.url, key);
    expect([told.error, told.message]).toEqual([
      'STATE_NOT_WRITABLE',
      expect.stringMatching(/state belongs to the user \S+, and this user cannot .* Run as that user/),
    ]);
    chmodSync(site.state, 0o600);
    const [head = '', line = ''] = readFileSync(site.state, 'utf8').split('\n');
    const wrong = ['["a.php",1]', '{"a":1}', 'x', '["a.php","1",2,3,"4",["5"],6,"7",8]'];
    writeFileSync(site.state, [head, ...wrong, line, ''].join('\n'));
    expect((await site.check(service.url, key, [], loud)).told).toMatchObject({ unchanged: 1 });
    writeFileSync(site.state, [head, ...wrong, ''].join('\n'));
    expect((await site.check(service.url, key, [], loud)).told).toMatchObject({ checked: 1, complete: true });
  });

  test('the root may be the root of the system', async () => {
    const site = siteOf({});
    const { told } = await site.check(service.url, key, ['--root', '/', '--seconds', '1']);
    expect([told.error, told.requests > 0]).toEqual([null, true]);
  }, 60_000);

  test('a wrong service and a malformed address are reported as such', async () => {
    const other = Bun.serve({ port: 0, fetch: () => new Response('Hello') });
    const site = siteOf(many(1));
    const { told } = await site.check(String(other.url), key);
    expect([told.error, told.message]).toEqual(['UNREACHABLE', expect.stringContaining('not as a Redoubt')]);
    await other.stop(true);
    for (const before of [['php'], ['php', '-n']]) {
      const gone = await site.check(String(other.url), key, [], before);
      expect([gone.code, gone.told.error, gone.told.message]).toEqual([
        2,
        'UNREACHABLE',
        expect.stringMatching(/connect|refused/i),
      ]);
    }
  });

  test.skipIf(!canBeNobody || isClosed)('an unreadable file is unchecked until it is readable', async () => {
    const site = siteOf({
      'a/inside.php': ORDINARY,
      'b/inside.php': ORDINARY,
      'c.php': `<?php ${SHELL}`,
      'd.php': ORDINARY,
    });
    const paths = ['a', 'b', 'c.php'].map((name) => join(site.root, name));
    // Names in the second can be listed, and nothing else.
    for (const [at, mode] of [0o000, 0o744, 0o000].entries()) chmodSync(paths[at] ?? '', mode);
    const closed = await site.checkAsNobody(service.url, key);
    expect([closed.code, closed.lines]).toEqual([
      3,
      ['unchecked 0 a/: not readable', 'unchecked 0 b/: not readable', 'unchecked 0 c.php: not readable'],
    ]);
    expect(closed.told).toMatchObject({ checked: 1, unchecked: 3, complete: true });
    for (const path of paths) chmodSync(path, 0o755);
    const open = await site.checkAsNobody(service.url, key);
    expect(open.told).toMatchObject({ checked: 3, unchanged: 1, unchecked: 0, findings: 1 });
    chmodSync(site.root, 0o000);
    const { code, lines, told } = await site.checkAsNobody(service.url, key);
    expect([code, lines, told.error]).toEqual([2, [], 'ROOT_NOT_READABLE']);
    expect(told.message).toContain(site.root);
  });

  test('the state is never inside the root, and its folder is created for its user only', async () => {
    const site = siteOf({ 'index.php': ORDINARY });
    const inside = ['state', 'new/state'].map((name) =>
      site.check(service.url, key, ['--state', join(site.root, name)]),
    );
    for (const { code, told } of await Promise.all(inside))
      expect([code, told.error]).toEqual([2, 'STATE_IN_ROOT']);
    expect(existsSync(join(site.root, 'new'))).toBe(false);
    const state = join(`${site.root}-state`, 'shop');
    expect((await site.check(service.url, key, ['--state', state])).code).toBe(0);
    expect(statSync(`${site.root}-state`).mode & 0o777).toBe(0o700);
    const { told } = await site.check(service.url, key, ['--state', join(site.home, 'none/at/all/shop')]);
    expect([told.error, told.message]).toEqual([
      'STATE_NOT_WRITABLE',
      expect.stringContaining(`mkdir -p -m 700 '${site.home}/none/at/all'`),
    ]);
  });

  test('a full disk ends the run, and the next run continues', async () => {
    const site = siteOf(many(100));
    const full = ['sh', '-c', 'trap "" XFSZ; ulimit -f 8; exec php "$@"', 'sh'];
    const { code, told } = await site.check(service.url, key, [], full);
    expect([code, told.complete, told.error]).toEqual([2, false, 'STATE_NOT_WRITABLE']);
    const { told: rest } = await site.check(service.url, key);
    expect(rest).toMatchObject({ complete: true, error: null });
    expect(rest.checked + rest.unchanged).toBe(100);
  });

  test('a killed run loses at most its current batch', async () => {
    let hold = true;
    let asked = 0;
    const slow = Bun.serve({
      port: 0,
      async fetch(request) {
        if (request.method === 'GET') return Response.json({}, { headers: { 'x-service-version': '1.0.0' } });
        const { items } = (await request.json()) as { items: unknown[] };
        if (++asked === 2 && hold) await new Promise(() => {});
        return Response.json({
          data: { items: items.map(() => ({ verdict: 'clean', score: 1, reasons: [] })) },
        });
      },
    });
    const site = siteOf(many(100));
    const words = ['--url', String(slow.url), '--root', site.root, '--state', site.state];
    const killed = spawn('php', [SCRIPT, ...words], { env: { ...process.env, REDOUBT_KEY: 'key' } });
    await until(() => asked === 2);
    const closed = new Promise((resolve) => killed.once('close', resolve));
    killed.kill('SIGKILL');
    await closed;
    hold = false;
    const { told } = await site.check(String(slow.url), 'key');
    expect(told).toMatchObject({ checked: 36, unchanged: 64, complete: true });
    await slow.stop(true);
  });

  test('of two concurrent runs, the second ends immediately', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = false;
    const slow = Bun.serve({
      port: 0,
      async fetch() {
        isAsked = true;
        await held;
        return Response.json({}, { headers: { 'x-service-version': '1.0.0' } });
      },
    });
    const site = siteOf({});
    const first = site.check(String(slow.url), key);
    await until(() => isAsked);
    const second = await site.check(service.url, key);
    expect([second.code, second.told.error]).toEqual([2, 'RUNNING']);
    release();
    expect((await first).code).toBe(0);
    await slow.stop(true);
  });

  test('an accepted finding is counted and not reported, until its file changes', async () => {
    const site = siteOf({ 'a/snoopy.php': `<?php ${SHELL}`, 'b.php': `<?php ${SHELL}` });
    const accepted = join(site.home, 'accepted');
    const hash = createHash('sha256')
      .update(readFileSync(join(site.root, 'b.php')))
      .digest('hex');
    writeFileSync(accepted, `${'0'.repeat(64)}  b.php\n\n`);
    const sum = spawnSync('sha256sum', ['a/snoopy.php'], { cwd: site.root, encoding: 'utf8' }).stdout;
    appendFileSync(accepted, sum);
    const check = () => site.check(service.url, key, ['--accept', accepted]);
    const first = await check();
    expect(first.told).toMatchObject({ checked: 2, findings: 1, accepted: 1 });
    expect(first.lines).toEqual([expect.stringContaining(' b.php: ')]);
    appendFileSync(accepted, `${hash} *./b.php\n`);
    const { code, told } = await check();
    expect([code, told.findings, told.accepted]).toEqual([0, 0, 2]);
    site.write('b.php', `<?php ${SHELL} // more`);
    expect((await check()).told).toMatchObject({ findings: 1, accepted: 1 });
    appendFileSync(accepted, 'a/snoopy.php\n');
    expect((await check()).told).toMatchObject({ complete: false, error: 'ACCEPT_MALFORMED' });
    const gone = await site.check(service.url, key, ['--accept', `${accepted}-not`]);
    expect([gone.code, gone.told.error]).toEqual([2, 'ACCEPT_NOT_READABLE']);
  });

  test('the plugin code in the page logs one line for any file name, and sends new findings', async () => {
    const site = siteOf({ "odd 'ü\\na\nme.php": `<?php ${SHELL}`, 'Straße.php': `<?php ${SHELL}` });
    const page = readFileSync(join(SCRIPT, '../../whole-sites.md'), 'utf8');
    const [, shown = ''] = /### Use it in a plugin.*?```php\n(.*?)```/s.exec(page) ?? [];
    const log = join(site.home, 'log');
    copyFileSync(SCRIPT, join(site.home, 'redoubt-site-check.php'));
    writeFileSync(
      join(site.home, 'plugin.php'),
      `<?php [, $service, $key] = $argv; define('ABSPATH', '${site.root}/'); ini_set('error_log', '${log}');
      $redoubt = new class { function record($event) { echo json_encode($event), "\\n"; } };
      ${shown.replace('/var/lib/my-plugin/site', site.state)}`,
    );
    const run = () =>
      spawnSync('php', [join(site.home, 'plugin.php'), service.url, key], { encoding: 'utf8' }).stdout;
    const events = run().trimEnd().split('\n');
    const logged = () => readFileSync(log, 'utf8').trimEnd().split('\n');
    expect(logged()).toEqual([
      expect.stringMatching(/\] malicious \d+ Straße\.php: /),
      expect.stringMatching(/\] malicious \d+ odd '\\303\\274\\\\na\\nme\.php: .*$/),
    ]);
    expect(events.map((event) => JSON.parse(event).message)).toEqual(
      logged().map((line) => line.replace(/^\[.*?\] /, '')),
    );
    expect([run(), logged().length]).toEqual(['', 4]);
  });
});

describe.skipIf(!SITE_CHECK.isThere)(`usage of the site check in PHP${SITE_CHECK.unlessThere}`, () => {
  const run = (words: readonly string[], key = 'key') =>
    spawnSync('php', [SCRIPT, ...words], { encoding: 'utf8', env: { ...process.env, REDOUBT_KEY: key } });
  const right = ['--url', 'http://127.0.0.1:1', '--root', '/tmp', '--state', '/nowhere/at/all'];

  test.each([
    ['nothing', [], '--url is missing'],
    ['no root', right.slice(0, 2), '--root is missing'],
    ['an unknown option', [...right, '--sekonds', '3'], 'Unknown option --sekonds'],
    ['an option without its value', [...right, '--site'], '--site needs a value'],
    ['an invalid number', [...right, '--seconds', 'abc'], 'such as 3000: abc'],
    ['an invalid address', ['--url', 'licenses.example.com', ...right.slice(2)], '--url does not start'],
    ['no key', right, 'REDOUBT_KEY must be the license key'],
    ['a missing key file', [...right, '--key-file', '/nowhere/key'], '--key-file cannot be read'],
    [
      'a key file without a key',
      [...right, '--key-file', '/dev/null'],
      '/dev/null must contain the license key',
    ],
  ])('%s is reported with the remedy', (_, words, said) => {
    const { status, stdout, stderr } = run(words, '');
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
    expect(stderr).toEndWith('--help explains the options.\n');
    expect(stderr).not.toContain('Warning');
  });

  test('--help explains every option, and the page lists them all', () => {
    const { status, stdout } = run(['--help'], '');
    const options = [...stdout.matchAll(/^ {2}(--[a-z-]+) (?:[A-Z]+)? {2,}\S.*$/gm)].map(([, name]) => name);
    expect([status, options.length]).toEqual([0, 9]);
    const page = readFileSync(join(SCRIPT, '../../whole-sites.md'), 'utf8');
    for (const option of options) expect(page).toMatch(new RegExp(`\\| \`${option}\\b`));
    const codes = readFileSync(SCRIPT, 'utf8').matchAll(/Stop\('([A-Z_]+)'/g);
    for (const [, code] of codes) if (code !== 'TIME') expect(page).toContain(`\`${code}\``);
  });

  test('an option may have its value after an equals sign', () => {
    const { status, stdout } = run(['--url=http://127.0.0.1:1', '--root=/nowhere', '--state=/tmp/x']);
    expect([status, JSON.parse(stdout).error]).toEqual([2, 'ROOT_NOT_READABLE']);
  });
});
