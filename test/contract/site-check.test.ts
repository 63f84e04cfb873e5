import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLIENTS } from '../support/plugin.ts';
import { type RunningService, start } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const SCRIPT = join(CLIENTS, 'redoubt-site-check.php');
const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
const ORDINARY = '<?php echo esc_html( get_the_title() );';
const SHELL = '@eval($_POST["x"]);';
const isPhpThere = spawnSync('php', ['--version']).status === 0;

interface Told {
  readonly checked: number;
  readonly unchanged: number;
  readonly unchecked: number;
  readonly findings: number;
  readonly requests: number;
  readonly complete: boolean;
  readonly error: string | null;
}

/** A site of files, which the script checks. */
function siteOf(files: Readonly<Record<string, string>>) {
  const home = temporaryDirectory();
  const root = join(home, 'site');
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    // As if it had stood there for long.
    utimesSync(join(root, path), 1_700_000_000, 1_700_000_000);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const state = join(home, 'state');
  const check = (url: string, key: string, flags: readonly string[] = [], before: readonly string[] = []) => {
    const words = [...before, SCRIPT, '--url', url, '--root', root, '--state', state, ...flags];
    return new Promise<{ code: number; lines: string[]; told: Told }>((resolve) => {
      const env = { ...process.env, REDOUBT_KEY: key };
      const child = execFile('php', words, { env, timeout: 100_000 }, (_, stdout, stderr) => {
        if (stderr !== '' || stdout.includes(key)) throw new Error(`It wrote more than it found: ${stderr}`);
        const lines = stdout.trimEnd().split('\n');
        resolve({ code: child.exitCode ?? -1, told: JSON.parse(lines.pop() ?? ''), lines });
      });
    });
  };
  return { root, state, write, check };
}

const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`inc/part-${at}.php`, `${ORDINARY} // ${at}`]),
  );
const plugin = `<?php\n${'function shop_title( $id ) { return esc_html( get_the_title( (int) $id ) ); }\n'.repeat(1_300)}`;

describe.skipIf(!isPhpThere)(`the site check in PHP${isPhpThere ? '' : ' (not run: needs php-cli)'}`, () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await start('binary', UNLIMITED);
  });
  afterAll(() => service.end());
  const issue = async () => {
    const { key, license_id } = await service.issue('--plan', 'pro');
    const id = Number(license_id.slice(4));
    const counts = "select sum(given) as given from verdict_counts where category = '' and license_id = ?";
    return { key, counted: () => Number(rows(service, counts, id)[0]?.given ?? 0) };
  };

  test.each([
    ['with curl', []],
    ['without curl', ['-n']],
  ])(
    'finds a shell behind 100 KB of ordinary code, %s, and then sends only what has changed',
    async (_, before) => {
      const { key, counted } = await issue();
      const site = siteOf({
        ...many(150),
        'index.php': ORDINARY,
        'wp-content/plugins/shop/shop.php': `${plugin}${SHELL}\n${plugin.slice(5)}`,
        'wp-content/uploads/2026/photo.jpg': `\xff\xd8\xff<?php ${SHELL}`,
        'wp-content/uploads/2026/other.jpg': '\xff\xd8\xff no code',
        "odd 'na\nme.php": ORDINARY,
        'empty.php': '',
        'large.js': 'a'.repeat(1_100_000),
      });
      const first = await site.check(service.url, key, [], before);
      expect(first.told).toMatchObject({
        checked: 154,
        findings: 2,
        unchecked: 1,
        complete: true,
        error: null,
      });
      expect(first.code).toBe(1);
      expect(first.lines.sort()).toEqual([
        expect.stringMatching(/^malicious \d+ wp-content\/plugins\/shop\/shop\.php: .*, line 1302$/),
        expect.stringMatching(/^malicious \d+ wp-content\/uploads\/2026\/photo\.jpg: /),
        'unchecked 0 large.js: larger than 1 MiB',
      ]);
      expect([counted(), statSync(site.state).mode & 0o777]).toEqual([154, 0o600]);
      expect(readFileSync(site.state, 'utf8')).not.toContain(key);
      await Bun.sleep(2_100);
      // Read once more, because they were new, and not sent.
      const again = await site.check(service.url, key, [], before);
      expect(again.told).toMatchObject({ checked: 0, unchanged: 156, findings: 2, requests: 1 });
      expect(again.lines.sort()).toEqual(first.lines);
      site.write('index.php', `<?php ${SHELL.padEnd(ORDINARY.length - 6)}`);
      const changed = await site.check(service.url, key, [], before);
      expect(changed.told).toMatchObject({ checked: 1, findings: 3, requests: 2 });
      expect(counted()).toBe(155);
    },
  );

  test('follows no link, inside or outside', async () => {
    const { key, counted } = await issue();
    const outside = temporaryDirectory();
    writeFileSync(join(outside, 'secret.php'), `<?php ${SHELL}`);
    const site = siteOf({ 'index.php': ORDINARY });
    symlinkSync(outside, join(site.root, 'folder'));
    symlinkSync(join(outside, 'secret.php'), join(site.root, 'file.php'));
    symlinkSync(site.root, join(site.root, 'loop'));
    expect((await site.check(service.url, key)).told).toMatchObject({
      checked: 1,
      findings: 0,
      complete: true,
    });
    expect(counted()).toBe(1);
  });

  test('waits for a limit as long as Retry-After says, and goes on where it had to stop', async () => {
    const limited = await start('binary', { ...UNLIMITED, SERVICE_RATE_KEY_PER_MINUTE: '20' });
    const { key } = await limited.issue('--plan', 'pro');
    const site = siteOf(
      Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`a${at}.php`, `${plugin}// ${at}`])),
    );
    const cut = await site.check(limited.url, key, ['--seconds', '2']);
    expect([cut.told.complete, cut.told.error, cut.code]).toEqual([false, null, 2]);
    expect(cut.told.checked).toBeWithin(1, 14);
    const begun = performance.now();
    const rest = await site.check(limited.url, key);
    expect(rest.told).toMatchObject({ complete: true, findings: 0, checked: 14 - cut.told.checked });
    expect(performance.now() - begun).toBeGreaterThan(1_000);
    expect(limited.log()).toContain('"status":429');
    await limited.end();
  }, 100_000);

  test('a service that is busy is asked again, one that fails at a content has it alone, and no redirect gets the key', async () => {
    let answered = 0;
    const authorizations: (string | null)[] = [];
    const version = { 'x-service-version': '1.0.0' };
    const other = Bun.serve({
      port: 0,
      fetch: async (request) => {
        if (request.method === 'GET') return Response.json({}, { headers: version });
        authorizations.push(request.headers.get('authorization'));
        answered += 1;
        const headers = { 'retry-after': '1' };
        if (answered === 1)
          return Response.json({ error: { code: 'ANALYSIS_BUSY' } }, { status: 503, headers });
        const { items } = (await request.json()) as { items: { content: string }[] };
        const isPoisoned = items.some(({ content }) => content.includes('poison'));
        if (isPoisoned) return Response.json({ error: { code: 'INTERNAL' } }, { status: 500 });
        return Response.json({
          data: { items: items.map(() => ({ verdict: 'clean', score: 1, reasons: [] })) },
        });
      },
    });
    const site = siteOf({ ...many(6), 'poison.php': '<?php // poison' });
    const { told, lines } = await site.check(String(other.url), 'zq7mark-key');
    expect(told).toMatchObject({ checked: 6, unchecked: 1, complete: true });
    expect(lines).toEqual(['unchecked 0 poison.php: INTERNAL']);
    expect(new Set(authorizations)).toEqual(new Set(['Bearer zq7mark-key']));
    await other.stop(true);
    let stolen = 0;
    const thief = Bun.serve({ port: 0, fetch: () => new Response(String(++stolen)) });
    const leading = Bun.serve({
      port: 0,
      fetch: ({ method }) =>
        method === 'GET'
          ? Response.json({}, { headers: version })
          : Response.redirect(String(thief.url), 307),
    });
    const refused = await siteOf({ 'index.php': ORDINARY }).check(String(leading.url), 'key', [
      '--seconds',
      '1',
    ]);
    expect([refused.told.complete, stolen]).toEqual([false, 0]);
    await Promise.all([thief.stop(true), leading.stop(true)]);
  }, 60_000);

  test('a wrong key or a lesser plan ends it with the reason', async () => {
    const site = siteOf({ 'index.php': ORDINARY });
    const { key } = await service.issue('--plan', 'starter');
    expect((await site.check(service.url, key)).told).toMatchObject({
      complete: false,
      error: 'PLAN_REQUIRED',
    });
    expect((await site.check(service.url, 'wrong')).told).toMatchObject({
      complete: false,
      error: 'INVALID_KEY',
    });
  });
});
