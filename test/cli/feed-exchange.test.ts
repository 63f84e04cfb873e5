import { afterAll, beforeAll, expect, test } from 'bun:test';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { bundleComment, installationOf } from '../../src/domain/threat/feed-bundle.ts';
import { fingerprintOf } from '../../src/domain/threat/fingerprint.ts';
import { stixText } from '../../src/domain/threat/stix.ts';
import { API, call } from '../support/client.ts';
import { newReleaseKey, type ReleaseKey, signFile } from '../support/releases.ts';
import { type RunningService, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const DAY_MS = 86_400_000;
const MINIMUM = 2;
/** What a customer could have sent, and an operator noted. None of it may be in a bundle. */
const SENTINELS = ['zq7sentinelword', 'zq7.sentinel@customer-site.com', 'zq7-sentinel.example.com'];
const threatOf = (payloadHash: string) => ({
  attackType: 'xss',
  behaviorClass: 'automated_scanner',
  payloadHash,
});
const [COMMON, RARE, THEIRS] = ['common', 'rare', 'theirs'].map((each) => fingerprintOf(threatOf(each)));

/** An installation with customers of its own. */
interface House {
  readonly service: RunningService;
  readonly key: string;
}

async function houseWith(reports: Readonly<Record<string, number>>): Promise<House> {
  // Its own process: the feed of each service has to be empty.
  const service = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    // No epoch ends while these tests run.
    SERVICE_FEED_EPOCH_SECONDS: '86400',
    SERVICE_FEED_MIN_AGE_HOURS: '0',
    SERVICE_FEED_MIN_CORROBORATION: String(MINIMUM),
  });
  const keys: string[] = [];
  for (const at of [1, 2, 3]) {
    const customer = ['--customer', `${SENTINELS[0]} ${at}`, '--email', `${at}${SENTINELS[1]}`];
    keys.push((await service.issue('--plan', 'starter', ...customer, '--domain', SENTINELS[2] ?? '')).key);
  }
  for (const [payloadHash, times] of Object.entries(reports)) {
    for (const key of keys.slice(0, times)) {
      const body = { ...threatOf(payloadHash), siteIdHash: SENTINELS[0], licenseIdHash: 'license' };
      expect((await call(service.url, `${API}/threat-report/report`, { key, body })).status).toBe(200);
    }
  }
  await service.command('feed', 'rebuild');
  return { service, key: keys[0] ?? '' };
}

let north: House;
let south: House;
const stick = temporaryDirectory();
beforeAll(async () => {
  [north, south] = await Promise.all([
    houseWith({ common: 3, rare: 1, theirs: 2 }),
    houseWith({ common: 1, rare: 2 }),
  ]);
}, 60_000);
afterAll(() => Promise.all([north, south].map(({ service }) => service.end())));

const feed = ({ service }: House, ...words: string[]) => run('binary', service.env, 'feed', ...words);
const json = async ({ service }: House, ...words: string[]) =>
  JSON.parse(await service.command(...words, '--json'));
/** What a client reads, and what an operator sees beside it. */
const published = async (house: House): Promise<[string, number][]> => {
  const { entries } = (await call(house.service.url, `${API}/threat-feed`, { key: house.key })).json.data;
  return entries.map((entry: Record<string, unknown>) => [entry.fingerprint, entry.corroboration_count]);
};
const origins = async (house: House) =>
  Object.fromEntries(
    (await json(house, 'feed', 'show')).entries.map((entry: Record<string, unknown>) => [
      entry.fingerprint,
      entry.origins,
    ]),
  );
const sorted = (...entries: [string | undefined, number][]) =>
  entries
    .map(([fingerprint = '', count]): [string, number] => [fingerprint, count])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

async function exported(house: House, name: string) {
  const path = join(stick, name);
  const shown = await json(house, 'feed', 'export', '--out', path);
  return { path, shown };
}

test('a feed goes to another installation, counts there as one customer, and shows where it came from', async () => {
  const { path, shown } = await exported(north, 'north.json.gz');
  expect(shown).toMatchObject({ path, signature: `${path}.minisig`, threats: 2, serial: expect.any(Number) });
  const publicKey = join(stick, 'north.pub');
  writeFileSync(publicKey, await north.service.command('keys', 'export', 'feed'));
  expect(await published(south)).toEqual(sorted([RARE, 2]));

  const untrusted = await feed(south, 'import', path);
  expect([untrusted.exitCode, untrusted.stderr]).toEqual([
    1,
    expect.stringContaining('not signed by a trusted installation'),
  ]);
  await south.service.command('feed', 'trust', 'add', 'north', publicKey, '--reason', 'a colleague');
  const imported = await json(south, 'feed', 'import', path, '--rebuild');
  expect(imported).toMatchObject({
    name: 'north',
    weight: 1,
    threats: 2,
    takes_effect: 'now',
    serial: shown.serial,
  });
  for (const house of [north, south])
    expect(await json(house, 'verify', path)).toMatchObject({
      sound: true,
      signed_by: house === north ? 'this installation' : 'north',
      serial: shown.serial,
      threats: 2,
      expires_at: shown.expires_at,
    });
  // One of its own and one voice from there are enough; that voice alone is not.
  expect(await published(south)).toEqual(sorted([COMMON, 2], [RARE, 2]));
  expect(await origins(south)).toEqual({ [COMMON ?? '']: ['north'], [RARE ?? '']: [] });
  expect(await json(south, 'feed', 'trust', 'list')).toMatchObject([
    { name: 'north', weight: 1, state: 'counts', threats: 2, serial: shown.serial },
  ]);
  const actions = (await json(south, 'audit')).map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['feed.trust', 'feed.import', 'feed.rebuild']));
});

test('what came from there does not go back, nor on to others', async () => {
  const { shown } = await exported(south, 'south.json.gz');
  expect(shown).toMatchObject({ threats: 1 });
  const text = gunzipSync(readFileSync(join(stick, 'south.json.gz'))).toString();
  expect([text.includes(RARE ?? '-'), text.includes(COMMON ?? '-')]).toEqual([true, false]);
});

test('nothing of a customer is in a bundle or its signature, and the same feed is the same bytes', async () => {
  const { path } = await exported(north, 'again.json.gz');
  const files = [path, join(stick, 'north.json.gz')].map((each) => readFileSync(each));
  expect(files[0]?.equals(files[1] ?? Buffer.alloc(0))).toBe(true);
  const texts = [gunzipSync(files[0] ?? ''), readFileSync(`${path}.minisig`)].map(String);
  const { key_fingerprint, ...license } = (await json(north, 'license', 'list'))[0];
  for (const planted of [...SENTINELS, north.key, license.license_id, key_fingerprint ?? 'none'])
    expect([planted, texts.some((text) => text.includes(planted))]).toEqual([planted, false]);
});

test('an export replaces no file, nor a signature, and leaves none behind', async () => {
  const folder = temporaryDirectory();
  for (const name of ['feed', 'other.minisig']) writeFileSync(join(folder, name), 'of somebody');
  for (const name of ['feed', 'other']) {
    const { exitCode, stderr } = await feed(north, 'export', '--out', join(folder, name));
    expect([name, exitCode, stderr]).toEqual([name, 1, expect.stringContaining('already exists')]);
  }
  expect(readdirSync(folder).toSorted()).toEqual(['feed', 'other.minisig']);
  expect(readFileSync(join(folder, 'feed'), 'utf8')).toBe('of somebody');
});

test('its weight decides, and is taken back as a whole', async () => {
  await south.service.command('feed', 'trust', 'remove', 'north', '--rebuild');
  expect(await published(south)).toEqual(sorted([RARE, 2]));
  const publicKey = (await north.service.command('keys', 'export', 'feed')).trim().split('\n').at(-1) ?? '';
  await south.service.command('feed', 'trust', 'add', 'north', publicKey, '--weight', '2');
  await south.service.command('feed', 'import', join(stick, 'north.json.gz'), '--rebuild');
  expect(await published(south)).toEqual(sorted([COMMON, 3], [RARE, 2], [THEIRS, 2]));
  await south.service.command('feed', 'withdraw', THEIRS ?? '', '--rebuild');
  expect(await published(south)).toEqual(sorted([COMMON, 3], [RARE, 2]));
});

/** Of another installation that the operator trusts. */
const east: ReleaseKey = newReleaseKey();
const entryOf = (payloadHash: string) => ({
  fingerprint: fingerprintOf(threatOf(payloadHash)),
  attack_type: 'xss',
  severity: 'medium',
  corroboration_count: 5,
});
const bundleOf = (serial: number, daysLeft = 1, installation = installationOf(east.signer.privateKey)) => ({
  installation,
  serial,
  epoch: serial,
  expiresAt: Date.now() + daysLeft * DAY_MS,
});

/** Of what is refused, what is the matter with the file and not with what is known here. */
const ABOUT_ITSELF = /sign|its format|no such|regular|no feed is|times its size/;

/** A bundle of it, signed; then something may happen to it. */
function bundleFile(
  serial: number,
  {
    comment,
    bytes,
    by = east,
    after = () => {},
  }: {
    comment?: string;
    bytes?: Uint8Array;
    by?: ReleaseKey;
    after?: (path: string) => void;
  } = {},
): string {
  const path = join(temporaryDirectory(), 'feed.json.gz');
  const bundle = bundleOf(serial);
  const entries = [entryOf('common')] as Parameters<typeof stixText>[0];
  writeFileSync(path, bytes ?? gzipSync(stixText(entries, bundle, Date.now())));
  signFile(path, by, comment ?? bundleComment(bundle));
  after(path);
  return path;
}
/** Puts lines of another signature in the place of those of a bundle's own, by their numbers. */
const withLinesOf =
  (other: string, ...numbers: number[]) =>
  (path: string) => {
    const [own, others] = [path, other].map((each) => readFileSync(`${each}.minisig`, 'utf8').split('\n'));
    const mixed = own?.map((line, at) => (numbers.includes(at) ? others?.[at] : line)) ?? [];
    writeFileSync(`${path}.minisig`, mixed.join('\n'));
  };
const linked = (path: string) => {
  copyFileSync(path, `${path}.real`);
  execFileSync('ln', ['-sf', `${path}.real`, path]);
};

test('everything else is refused in a sentence, and changes nothing', async () => {
  const keyText = east.publicFile.split('\n')[1] ?? '';
  await south.service.command('feed', 'trust', 'add', 'east', keyText);
  await south.service.command('feed', 'import', bundleFile(7), '--rebuild');
  const ofSouth = (await exported(south, 'own.json.gz')).shown.installation;
  const ofNorth = (await exported(north, 'other.json.gz')).shown.installation;
  const ownKey = (await south.service.command('keys', 'export', 'feed')).trim().split('\n').at(-1) ?? '';
  const stored = async () => [await json(south, 'feed', 'trust', 'list'), await published(south)];
  const before = await stored();
  const refused: [string, string, string][] = [
    ['nothing', join(stick, 'none'), 'no such file'],
    [
      'not a minisign signature',
      bundleFile(8, { after: (path) => execFileSync('rm', [`${path}.minisig`]) }),
      'its signature was not found',
    ],
    [
      'a changed comment',
      bundleFile(8, {
        after: (path) => execFileSync('sed', ['-i', 's/serial:8/serial:9/', `${path}.minisig`]),
      }),
      'comment in its signature was changed',
    ],
    ...(
      [
        ['the signature', [1, 2, 3], 'it does not match its signature'],
        ['the comment', [2], 'comment in its signature was changed'],
        ['the comment and what signs it', [2, 3], 'comment in its signature was changed'],
        ['what signs the comment', [3], 'comment in its signature was changed'],
      ] as const
    ).map(([what, lines, sentence]): [string, string, string] => [
      `${what} of another feed by the same key`,
      bundleFile(8, {
        bytes: gzipSync('{"type":"bundle","objects":[{}]}'),
        after: withLinesOf(bundleFile(9), ...lines),
      }),
      sentence,
    ]),
    [
      'a truncated file',
      bundleFile(8, { after: (path) => truncateSync(path, 100) }),
      'it does not match its signature',
    ],
    ['a huge file', bundleFile(8, { after: (path) => truncateSync(path, 2 ** 40) }), 'which no feed is'],
    ['a link', bundleFile(8, { after: linked }), 'it is not a regular file'],
    ["another's key", bundleFile(8, { by: newReleaseKey() }), 'not signed by a trusted installation'],
    ['the same serial', bundleFile(7), '7 was already imported'],
    ['an older serial', bundleFile(6), '7 was already imported'],
    [
      'a release',
      bundleFile(8, { comment: 'redoubt 1.2.3 serial:8' }),
      'its format is unknown to this redoubt',
    ],
    [
      'a newer form',
      bundleFile(8, { comment: bundleComment(bundleOf(8)).replace('format:1', 'format:2') }),
      'Update it',
    ],
    ...(
      [
        ['this installation', ofSouth],
        ['another one that is trusted', ofNorth],
        ['an unknown one', 'f'.repeat(16)],
      ] as const
    ).map(([what, installation]): [string, string, string] => [
      `one that names ${what}`,
      bundleFile(8, { comment: bundleComment(bundleOf(8, 1, installation)) }),
      'is signed by the key of east but names another installation',
    ]),
    ['what is not compressed', bundleFile(8, { bytes: Buffer.from('{}') }), 'it is signed, but not a feed'],
    [
      'a bomb',
      bundleFile(8, { bytes: gzipSync(Buffer.alloc(60 * 2 ** 20, ' ')) }),
      'more than 200 times its size',
    ],
    [
      'no feed',
      bundleFile(8, { bytes: gzipSync('{"type":"bundle","objects":7}') }),
      'it is signed, but not a feed',
    ],
  ];
  for (const [what, path, sentence] of refused) {
    const { exitCode, stdout, stderr } = await feed(south, 'import', path);
    expect([what, exitCode, stdout, stderr]).toEqual([what, 1, '', expect.stringContaining(sentence)]);
    expect([what, stderr.trim().split('\n').length]).toEqual([what, 1]);
    if (ABOUT_ITSELF.test(sentence))
      expect((await run('binary', south.service.env, 'verify', path)).exitCode).toBe(1);
  }
  expect(await stored()).toEqual(before);
  for (const [words, sentence] of [
    [['add', 'east', keyText], 'east is already trusted with this key'],
    [['add', 'west', keyText], 'east is already trusted with this key'],
    [['add', 'west', ownKey], 'this is the key of this installation'],
    [['add', 'west', 'RWnothing'], 'no such file'],
    [['add', 'West', keyText], 'a name must have'],
    [['add', 'west', keyText, '--weight', '0'], 'the weight must be'],
    [['add', 'west', keyText, '--weight', '101'], 'the weight must be'],
    [['remove', 'west'], 'no trusted installation has this name'],
  ] as const) {
    const { exitCode, stderr } = await feed(south, 'trust', ...words);
    expect([words, exitCode, stderr]).toEqual([words, 1, expect.stringContaining(sentence)]);
  }
  expect(await stored()).toEqual(before);
}, 60_000);

test('a bundle that has expired is taken with a warning, and does not count', async () => {
  const bundle = bundleOf(9, -1);
  const { exitCode, stderr } = await feed(
    south,
    'import',
    bundleFile(9, { comment: bundleComment(bundle) }),
    '--rebuild',
  );
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('it expired at')]);
  expect(await published(south)).toEqual(sorted([COMMON, 3], [RARE, 2]));
  const [first] = await json(south, 'feed', 'trust', 'list');
  expect(first).toMatchObject({ name: 'east', state: 'expired' });
  const { stdout } = await run('binary', south.service.env, 'doctor');
  expect(stdout).toContain('warning feed-expired: the feed of east expired at');
});

const hasMinisign = process.env.CI === 'true' || spawnSync('sh', ['-c', 'command -v minisign']).status === 0;
test.if(hasMinisign)("Debian's minisign takes a bundle by the key that the installation prints", () => {
  const words = ['-V', '-q', '-p', join(stick, 'north.pub'), '-m', join(stick, 'north.json.gz')];
  expect(spawnSync('minisign', words).status).toBe(0);
});

test('an export for MISP has the whole feed, and the next one only what changed', async () => {
  const path = join(stick, 'misp');
  const exportAgain = () => json(north, 'feed', 'export', '--format', 'misp', '--out', path);
  const contents = () =>
    readdirSync(path)
      .map((name) => readFileSync(join(path, name), 'utf8'))
      .join('\n');
  const [fingerprint = ''] = (await published(north)).map(([each]) => each);
  const { threats } = await exportAgain();
  expect(threats).toBe((await published(north)).length);
  for (const [each] of await published(north)) expect(contents()).toContain(each);
  for (const sentinel of SENTINELS) expect(contents()).not.toContain(sentinel);
  expect(await exportAgain()).toMatchObject({ threats, written: 0, unchanged: 3, removed: 0 });

  await feed(north, 'withdraw', '--rebuild', '--', fingerprint);
  expect(await exportAgain()).toMatchObject({ threats: threats - 1, withdrawn: 1, written: 3, unchanged: 0 });
  await feed(north, 'restore', '--rebuild', '--', fingerprint);

  const other = await feed(north, 'export', '--format', 'misp', '--out', stick);
  expect([other.exitCode, other.stderr]).toEqual([1, expect.stringContaining('has other files')]);
  // A file of any size in place of the manifest is not read to its end.
  truncateSync(join(path, 'manifest.json'), 3 * 2 ** 30);
  const huge = await feed(north, 'export', '--format', 'misp', '--out', path);
  expect([huge.exitCode, huge.stderr]).toEqual([1, expect.stringContaining('does not belong to the feed')]);
  const unknown = await feed(north, 'export', '--format', 'csv', '--out', path);
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('--format')]);
});
