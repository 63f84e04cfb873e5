import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningService, sharedService, start } from '../support/service.ts';
import { ORDINARY, refusal, SHELL, SITE_CHECK, siteOf, standIn, UNLIMITED } from '../support/site-check.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const many = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`inc/part-${at}.php`, `${ORDINARY} // ${at}`]),
  );
const plugin = `<?php\n${'function shop_title( $id ) { return esc_html( get_the_title( (int) $id ) ); }\n'.repeat(1_300)}`;

describe.skipIf(!SITE_CHECK.isThere)(`the site check in PHP${SITE_CHECK.unlessThere}`, () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await sharedService();
  });
  const issue = async () => {
    const { key, license_id } = await service.issue('--plan', 'pro');
    const id = Number(license_id.slice(4));
    const counts = "select sum(given) as given from verdict_counts where category = '' and license_id = ?";
    return { key, counted: () => Number(rows(service, counts, id)[0]?.given ?? 0) };
  };

  test.each([
    ['with curl', ['php']],
    ['without curl', ['php', '-n']],
  ])(
    'finds a shell after 100 KB of ordinary code, %s, and then sends only changed files',
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
        checked: 155,
        nothing_to_send: 2,
        findings: 2,
        unchecked: 0,
        complete: true,
        error: null,
      });
      expect(first.code).toBe(1);
      expect(first.lines.sort()).toEqual([
        expect.stringMatching(/^malicious \d+ wp-content\/plugins\/shop\/shop\.php: .*, line 1302$/),
        expect.stringMatching(/^malicious \d+ wp-content\/uploads\/2026\/photo\.jpg: /),
      ]);
      // The large file was sent in three parts.
      expect([counted(), statSync(site.state).mode & 0o777]).toEqual([157, 0o600]);
      expect(readFileSync(site.state, 'utf8')).not.toContain(key);
      await Bun.sleep(2_100);
      // Read again, because they were new, and not sent.
      const again = await site.check(service.url, key, [], before);
      expect(again.told).toMatchObject({ checked: 0, unchanged: 157, findings: 2, requests: 1 });
      expect(again.lines.sort()).toEqual(first.lines);
      site.write('index.php', `<?php ${SHELL.padEnd(ORDINARY.length - 6)}`);
      const changed = await site.check(service.url, key, [], before);
      expect(changed.told).toMatchObject({ checked: 1, findings: 3, requests: 2 });
      expect(counted()).toBe(158);
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

  test('waits for a limit as long as Retry-After requires, and continues where it stopped', async () => {
    // Its own process: the rate limit is a setting.
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

  test('retries a busy service, and sends the key to no redirect', async () => {
    const busy = standIn((_, times) =>
      times === 1 ? refusal(503, 'ANALYSIS_BUSY', '', { 'retry-after': '1' }) : undefined,
    );
    const { told } = await siteOf(many(6)).check(busy.url, 'key');
    expect(told).toMatchObject({ checked: 6, requests: 3, complete: true });
    await busy.end();
    let stolen = 0;
    const thief = Bun.serve({ port: 0, fetch: () => new Response(String(++stolen)) });
    const leading = standIn(() => Response.redirect(String(thief.url), 307));
    const refused = await siteOf({ 'index.php': ORDINARY }).check(leading.url, 'key', ['--seconds', '1']);
    expect([refused.told.complete, stolen]).toEqual([false, 0]);
    await Promise.all([thief.stop(true), leading.end()]);
  }, 60_000);

  test('ends with the reason for a wrong key or a lower plan', async () => {
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
