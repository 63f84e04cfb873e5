import { afterAll, beforeAll, expect, test } from 'bun:test';
import { allow, restore, withdraw } from '../../src/acts/feed/acts.ts';
import { SCOPES } from '../../src/domain/admin/scope.ts';
import { fingerprintOf } from '../../src/domain/threat/fingerprint.ts';
import { ASK, ofThreat, WAYS } from '../support/acts.ts';
import { adminOf, tokenOf } from '../support/admin.ts';
import { API, call } from '../support/client.ts';
import { type Browser, operatorOf } from '../support/console.ts';
import { type RunningService, run, start } from '../support/service.ts';
import { without } from '../support/store.ts';

const threat = { attackType: 'xss', behaviorClass: 'automated_scanner', payloadHash: 'abc' };
const FINGERPRINT = fingerprintOf(threat);
const UNKNOWN = fingerprintOf({ ...threat, payloadHash: 'nobody' });
const DASHED = `-${'A'.repeat(42)}`;

let service: RunningService;
let key: string;
let owner: Browser;
beforeAll(async () => {
  // Its own process: the feed has to be empty.
  service = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    // No epoch ends while these tests run.
    SERVICE_FEED_EPOCH_SECONDS: '86400',
    SERVICE_FEED_MIN_AGE_HOURS: '0',
    SERVICE_FEED_MIN_CORROBORATION: '1',
  });
  ({ key } = await service.issue('--plan', 'starter'));
  const body = { ...threat, siteIdHash: 'site', licenseIdHash: 'license' };
  expect((await call(service.url, `${API}/threat-report/report`, { key, body })).status).toBe(200);
  await service.command('feed', 'rebuild');
  owner = await operatorOf(service, 'olivia');
});
afterAll(() => service.end());

const feed = (...words: string[]) => run('binary', service.env, 'feed', ...words);
const json = async (...words: string[]) => JSON.parse(await service.command(...words, '--json'));
/** As a client reads it. */
const published = async (): Promise<string[]> => {
  const { entries } = (await call(service.url, `${API}/threat-feed`, { key })).json.data;
  return entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint);
};
const stored = async () => [await json('feed', 'rulings'), await json('audit'), await published()];

test.each(WAYS)(
  'by %s, a client loses withdrawn or allowed entries with a rebuild, and gets restored ones back',
  async (way) => {
    const by = { service, admin: adminOf(service, await tokenOf(service, SCOPES, way)), owner };
    const target = ofThreat(FINGERPRINT);
    for (const [act, left] of [
      [withdraw, []],
      [restore, [FINGERPRINT]],
      [allow, []],
      [restore, [FINGERPRINT]],
    ] as const) {
      const asked = { act, command: 'feed', target, values: [['rebuild', true]] as const, reason: '<img>' };
      const { isDone, text } = await ASK[way](by, asked);
      const shown = way === 'form' ? (await owner.get(target.page)).text : text;
      expect([isDone, shown]).toEqual([
        true,
        expect.stringMatching(/feed was rebuilt|"takes_effect":"now"/i),
      ]);
      expect([act.verb, await published()]).toEqual([act.verb, [...left]]);
      const audited = (await json('audit')).slice(0, 2);
      expect(audited).toMatchObject([
        { action: 'feed.rebuild', reason: '<img>' },
        { action: `feed.${act.verb}`, subject: FINGERPRINT, reason: '<img>' },
      ]);
    }
    expect((await owner.get(target.page)).text).not.toContain('<img>');
    expect((await by.admin('/feed')).json.data.entries).toMatchObject([{ fingerprint: FINGERPRINT }]);
  },
);

test('without --rebuild the feed is unchanged until the next epoch, and the command gives its time', async () => {
  const out = await service.command('feed', 'withdraw', FINGERPRINT);
  expect(out).toMatch(/is withdrawn .*\nThis takes effect at the next epoch, within 86400 seconds/);
  expect(await published()).toEqual([FINGERPRINT]);
  const again = await feed('withdraw', FINGERPRINT, '--rebuild');
  expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('nothing changed')]);
  expect(await published()).toEqual([]);
  await service.command('feed', 'restore', FINGERPRINT, '--rebuild');
});

test('rulings are listed by page, and audited with the actor, the entry and the reason', async () => {
  await service.command('feed', 'withdraw', FINGERPRINT);
  await service.command('feed', 'allow', '--reason', 'our scanner', '--', DASHED);
  const rulings = [
    { fingerprint: DASHED, ruling: 'allowed', ruled_at: expect.any(String) },
    { fingerprint: FINGERPRINT, ruling: 'withdrawn', ruled_at: expect.any(String) },
  ];
  expect(await json('feed', 'rulings')).toEqual(rulings);
  const first = await feed('rulings', '--limit', '1');
  expect([first.stdout.includes(FINGERPRINT), first.stderr]).toEqual([
    false,
    expect.stringContaining(`--cursor ${DASHED}`),
  ]);
  expect(await json('feed', 'rulings', '--cursor', DASHED)).toEqual(rulings.slice(1));
  expect((await json('audit'))[0]).toMatchObject({
    action: 'feed.allow',
    subject: DASHED,
    reason: 'our scanner',
    before: { ruling: null },
    after: { ruling: 'allowed' },
  });
  await service.command('feed', 'restore', FINGERPRINT);
  await service.command('feed', 'restore', '--', DASHED);
  expect(await json('feed', 'rulings')).toEqual([]);
});

test.each([
  ['withdraw', UNKNOWN, /is not in the feed. To keep it out in future, use "redoubt feed allow"/],
  ['restore', UNKNOWN, /is neither withdrawn nor allowed/],
])('"feed %s %s" is refused and changes nothing, also with --rebuild', async (name, fingerprint, why) => {
  const before = await stored();
  const { exitCode, stdout, stderr } = await feed(name, fingerprint, '--rebuild');
  expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringMatching(why)]);
  expect(await stored()).toEqual(before);
});

test('where the feed cannot be rebuilt, the ruling stays and the command reports both', async () => {
  let outcome = await feed('rulings');
  await without(service, ['feed_snapshots'], async () => {
    outcome = await feed('allow', FINGERPRINT, '--rebuild');
  });
  expect([outcome.exitCode, outcome.stdout]).toEqual([1, '']);
  expect(outcome.stderr).toMatch(
    /is never published .*\. This takes effect at the next epoch, because the feed could not be rebuilt now: /,
  );
  expect(await json('feed', 'rulings')).toMatchObject([{ fingerprint: FINGERPRINT, ruling: 'allowed' }]);
  await service.command('feed', 'restore', FINGERPRINT, '--rebuild');
  expect(await published()).toEqual([FINGERPRINT]);
});
