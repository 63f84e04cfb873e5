import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint } from '../../src/domain/evidence/checkpoint.ts';
import { leafHash } from '../../src/domain/evidence/merkle.ts';
import { consistencyHolds, rootFromInclusion } from '../../src/domain/evidence/merkle-proofs.ts';
import { parseProof } from '../../src/domain/evidence/tlog-proof.ts';
import { openNote, parseVerifierKey, type VerifierKey } from '../../src/lib/signed-note.ts';
import { disconnect, inTransaction } from '../../src/storage/engine/database.ts';
import { evidenceEntries } from '../../src/storage/evidence/evidence-entries.ts';
import { API, call } from '../support/client.ts';
import { type FakeSite, openQuietSite } from '../support/fake-site.ts';
import { importDemo } from '../support/mirror.ts';
import { askScan, codeOf, endedScan, issueControlled, readScan } from '../support/scans.ts';
import { type RunningService, run, sharedService, start, TARGETS, until } from '../support/service.ts';
import { openStore, rows, stored } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const PRIVATE = {
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
  SERVICE_SCAN_ALLOW_PRIVATE: '1',
};

const sites: FakeSite[] = [];
afterEach(() => {
  for (const site of sites.splice(0)) site.close();
});
const quietSite = () => openQuietSite(sites);

const get = (on: RunningService, key: string, path: string) =>
  call(on.url, `${API}/evidence${path}`, { key });
const state = async (on: RunningService, key: string) => (await get(on, key, '')).json.data;
const entriesOf = async (on: RunningService, key: string, query = '') => {
  const { entries } = (await get(on, key, `/entries${query}`)).json.data;
  return entries.map(({ entry }: { entry: string }) => JSON.parse(entry));
};
const assess = async (on: RunningService, key: string, site_url: string) => {
  const { scan_id } = (await askScan(on, key, { site_url, scan_type: 'assessment' })).json.data;
  return endedScan(on, key, scan_id);
};
const checkpointIn = (note: string, vkey: string) => {
  const opened = openNote(Buffer.from(note), parseVerifierKey(vkey) as VerifierKey);
  const checkpoint = parseCheckpoint('text' in opened ? opened.text : '');
  if (checkpoint === undefined) throw new Error('the checkpoint does not hold');
  return checkpoint;
};
/** Sends a heartbeat, and the components of the site. */
async function report(on: RunningService, key: string, ...components: object[]): Promise<string> {
  const body = { site_url: 'localhost', license_key: key, plugin_version: '1.0.0' };
  await call(on.url, `${API}/telemetry`, { key, body });
  const [site] = (await call(on.url, `${API}/sites`, { key })).json.data.sites;
  if (components.length > 0)
    await call(on.url, `${API}/sites/${site.id}/components`, { key, body: { components } });
  return site.id;
}

describe.each(TARGETS)('under %s', (target) => {
  let service: RunningService;
  let key: string;
  let license: string;
  beforeAll(async () => {
    // Its own process: it is killed, and vulnerability data is imported.
    service = await start(target, PRIVATE);
    ({ key, license } = await issueControlled(service));
  });
  afterAll(async () => {
    expect(service.log()).not.toContain('unexpected error');
    await service.end();
  });

  test('an assessment combines all data about a site, and its grade is that of the worst', async () => {
    const url = await quietSite();
    const first = await assess(service, key, url);
    expect(first).toMatchObject({
      status: 'done',
      failure: null,
      site_url: url.replace('blog', ''),
      assessment: {
        grade: expect.stringMatching(/^[B-F]$/),
        parts: { telemetry: null, vulnerabilities: null },
      },
    });
    await importDemo(service);
    await report(service, key, { ecosystem: 'wordpress-plugin', name: 'harbor-forms', version: '1.0.0' });
    const { assessment, findings } = await assess(service, key, url);
    const { telemetry, surface, vulnerabilities } = assessment.parts;
    expect(assessment.score).toBe(Math.min(telemetry.score, surface.score, vulnerabilities.score, 84));
    expect(assessment.assessed_at).toBe([telemetry.at, surface.at, vulnerabilities.at].sort()[0]);
    const ids = findings.map(({ id }: { id: string }) => id);
    const { findings: shown } = (
      await call(service.url, `${API}/scan`, { key, body: { site_url: 'localhost' } })
    ).json.data;
    for (const { id } of shown) expect(ids).toContain(id);
  });

  test('findings and acts are in the log, and the signed tree proves each entry', async () => {
    const { vkey, size, root_hash, origin, pending, retained_from } = await state(service, key);
    expect([pending, retained_from]).toEqual([0, 0]);
    const types = (await entriesOf(service, key)).map(({ type }: { type: string }) => type);
    expect(types).toEqual([
      'license_changed',
      'domain_verified',
      'assessment',
      'components',
      'mirror_changed',
      'assessment',
    ]);
    const { text: note, headers } = await get(service, key, '/checkpoint');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const signed = checkpointIn(note, vkey);
    expect([signed.origin, signed.size]).toEqual([origin, size]);
    expect(Buffer.from(signed.rootHash).toString('base64url')).toBe(root_hash);
    const { entries } = (await get(service, key, '/entries')).json.data;
    for (const { index, entry, forgotten, leaf_hash } of entries) {
      expect([forgotten, leaf_hash]).toEqual([false, leafHash(Buffer.from(entry)).toString('base64url')]);
      const proof = parseProof((await get(service, key, `/entries/${index}/proof`)).text);
      if (proof === undefined) throw new Error('the proof cannot be read');
      const checkpoint = checkpointIn(proof.note, vkey);
      const root = rootFromInclusion(index, checkpoint.size, leafHash(Buffer.from(entry)), proof.hashes);
      expect(root).toEqual(Buffer.from(checkpoint.rootHash));
    }
  });

  test('a later state is proved to have grown from an earlier one', async () => {
    const { vkey } = await state(service, key);
    const earlier = checkpointIn((await get(service, key, '/checkpoint')).text, vkey);
    await assess(service, key, await quietSite());
    const proof = parseProof((await get(service, key, `/entries/${earlier.size}/proof`)).text);
    const later = checkpointIn(proof?.note ?? '', vkey);
    const { hashes } = (await get(service, key, `/consistency?first=${earlier.size}&second=${later.size}`))
      .json.data;
    expect(
      consistencyHolds({
        first: earlier.size,
        second: later.size,
        firstRoot: earlier.rootHash,
        secondRoot: later.rootHash,
        proof: hashes.map((hash: string) => Buffer.from(hash, 'base64url')),
      }),
    ).toBeTrue();
  });

  test('an export proves itself, and changes in it are detected', async () => {
    await assess(service, key, await quietSite());
    const { text, headers } = await get(service, key, '/export');
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').entry).toContain('"type":"assessment"');
    expect([headers.get('content-type'), headers.get('link')]).toEqual(['application/x-ndjson', null]);
    const [good, bad] = ['good', 'bad'].map((name) => join(temporaryDirectory(), name)) as [string, string];
    writeFileSync(good, text);
    writeFileSync(bad, text.replace('license_changed', 'license_chanted'));
    const { vkey } = await state(service, key);
    expect(await run(target, {}, 'evidence', 'verify', good, '--vkey', vkey)).toMatchObject({ exitCode: 0 });
    const found = await run(target, {}, 'evidence', 'verify', bad, '--vkey', vkey);
    expect([found.exitCode, found.stderr]).toEqual([1, expect.stringContaining('line 2, entry 0: ')]);
  });

  test('an operator exports the same next to the running service, and the log continues', async () => {
    const out = temporaryDirectory();
    const { origin } = await state(service, key);
    await assess(service, key, await quietSite());
    const { exitCode, stderr } = await run(target, service.env, 'evidence', 'export', license, '--out', out);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(readdirSync(out)).toEqual([`${license}-1.ndjson`]);
    const verified = await run(target, {}, 'evidence', 'verify', join(out, `${license}-1.ndjson`), '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ holds: true, whole: true });
    expect((await state(service, key)).origin).toBe(origin);
  });
});

describe('the routes of evidence', () => {
  let service: RunningService;
  let key: string;
  let other: string;
  let site: string;
  beforeAll(async () => {
    service = await start('binary', PRIVATE);
    ({ key } = await issueControlled(service));
    other = (await service.issue('--plan', 'pro')).key;
    site = await report(service, key, { ecosystem: 'npm', name: 'left-pad', version: '1.0.0' });
  });
  afterAll(() => service.end());

  test('filter by type, site and time, page by page', async () => {
    const all = await entriesOf(service, key);
    expect(await entriesOf(service, key, '?type=components')).toEqual(
      all.filter(({ type }: { type: string }) => type === 'components'),
    );
    expect(await entriesOf(service, key, `?site=${site}`)).toEqual(
      all.filter(({ site_id }: { site_id: string }) => site_id === site),
    );
    expect(await entriesOf(service, key, '?since=2090-01-01T00:00:00Z')).toEqual([]);
    expect(await entriesOf(service, key, '?until=2090-01-01T00:00:00Z')).toEqual(all);
    const walked = [];
    let cursor = '';
    do {
      const { entries, next_cursor } = (await get(service, key, `/entries?limit=1${cursor}`)).json.data;
      walked.push(...entries.map(({ entry }: { entry: string }) => JSON.parse(entry)));
      cursor = next_cursor === null ? '' : `&cursor=${next_cursor}`;
    } while (cursor !== '');
    expect(walked).toEqual(all);
  });

  test('answer for another tenant as for a missing one, byte for byte', async () => {
    const cursor = (await get(service, key, '/entries?limit=1')).json.data.next_cursor;
    expect(codeOf(await get(service, other, `/entries?cursor=${cursor}`))).toEqual([400, 'INVALID_QUERY']);
    expect(await entriesOf(service, other, `?site=${site}`)).toEqual([]);
    const unknown = await get(service, other, '/entries/999/proof');
    const foreign = await get(service, other, '/entries/2/proof');
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    expect((await state(service, other)).origin).not.toBe((await state(service, key)).origin);
  });

  test.each(['-1', '01', '1.5', '1e3', 'x', '9007199254740992', '99999999999999999999', '%00', '0x1'])(
    'find no entry of the index %s',
    async (index) => {
      const before = stored(service);
      expect(codeOf(await get(service, key, `/entries/${index}/proof`))).toEqual([404, 'EVIDENCE_NOT_FOUND']);
      expect(stored(service)).toEqual(before);
    },
  );

  test.each([
    ['', 400, 'INVALID_QUERY'],
    ['?first=1', 400, 'INVALID_QUERY'],
    ['?first=2&second=1', 400, 'INVALID_QUERY'],
    ['?first=1&first=2&second=3', 400, 'INVALID_QUERY'],
    ['?first=-1&second=1', 400, 'INVALID_QUERY'],
    ['?first=0&second=9007199254740992', 400, 'INVALID_QUERY'],
    ['?first=0&second=999999999999999', 404, 'EVIDENCE_NOT_FOUND'],
  ])('refuse the sizes %s', async (query, status, code) => {
    expect(codeOf(await get(service, key, `/consistency${query}`))).toEqual([status, code]);
  });

  test.each(['?type=nothing', '?limit=0', '?limit=201', '?since=yesterday', '?nothing=1', '?cursor=x'])(
    'refuse the query %s',
    async (query) => {
      expect(codeOf(await get(service, key, `/entries${query}`))).toEqual([400, 'INVALID_QUERY']);
    },
  );

  test('sign with a key that only the service can read, next to the database', async () => {
    await state(service, key);
    const signing = join(service.env.SERVICE_DATA_DIR ?? '', 'signing');
    expect(statSync(signing).mode & 0o777).toBe(0o700);
    for (const name of ['evidence.pem', 'evidence.head'])
      expect(statSync(join(signing, name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(signing, 'evidence.head'), 'utf8')).toMatch(
      /^\n[0-9A-Za-z]{22}\/1 \d+ [\w-]{43}\n/,
    );
  });

  test('return a long log in pages that are verified together', async () => {
    const db = openStore(service);
    const { keepEvidence, currentLog } = evidenceEntries(db);
    await inTransaction(db, async () => {
      for (let size = (await currentLog(1))?.size ?? 0; size < 4_500; size++)
        await keepEvidence({ licenseId: 1, type: 'day', at: Date.now(), siteId: null, data: {} });
      const text = 'x'.repeat(30_000);
      for (let long = 0; long < 100; long++)
        await keepEvidence({ licenseId: 1, type: 'scan', at: Date.now(), siteId: null, data: { text } });
    });
    await disconnect(db);
    const file = join(temporaryDirectory(), 'export');
    await get(service, key, '/entries/4599/proof');
    let [path, pages] = ['/export', 0];
    while (path !== '') {
      const { text, headers } = await get(service, key, path);
      appendFileSync(file, text);
      path = /^<\/api\/v1\/evidence([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
      pages += 1;
    }
    const { stdout } = await run('binary', {}, 'evidence', 'verify', file, '--json');
    expect([pages, JSON.parse(stdout)]).toMatchObject([4, { holds: true, whole: true, entries: 4_600 }]);
    const { entries, next_cursor } = (await get(service, key, '/entries?type=scan&limit=200')).json.data;
    const rest = (await get(service, key, `/entries?type=scan&limit=200&cursor=${next_cursor}`)).json.data;
    expect([entries.length, rest.entries.length]).toEqual([35, 35]);
    // A timeout would end the PostgreSQL server of the tests that follow.
  }, 180_000);
});

test('an assessment needs proof of control, at its request and at its start', async () => {
  const service = await sharedService('binary', 'private sites');
  const { key, license_id } = await service.issue('--plan', 'pro', '--domain', 'localhost');
  const wanted = { site_url: 'localhost', scan_type: 'assessment' };
  const before = stored(service);
  expect(codeOf(await askScan(service, key, wanted))).toEqual([403, 'DOMAIN_NOT_VERIFIED']);
  expect(codeOf(await askScan(service, key, { ...wanted, site_url: 'elsewhere.com' }))).toEqual([
    404,
    'SITE_NOT_FOUND',
  ]);
  expect(stored(service)).toEqual(before);
  await service.command('license', 'verify-domain', license_id, '--domain', 'localhost');
  const { status, json } = await askScan(service, key, wanted);
  expect(status).toBe(202);
  await endedScan(service, key, json.data.scan_id);
});

test('without surface scans an assessment uses the last one, and reports when there is none', async () => {
  const first = await start('binary', PRIVATE);
  const { key } = await issueControlled(first);
  const url = await quietSite();
  const { scan_id } = (await askScan(first, key, { site_url: url, scan_type: 'surface' })).json.data;
  const looked = await endedScan(first, key, scan_id);
  await first.end();
  const second = await start('binary', { ...first.env, SERVICE_SURFACE_SCANS: '0' });
  const { assessment } = await assess(second, key, 'localhost');
  expect(assessment.parts.surface).toMatchObject({ at: looked.finished_at });
  rows(second, 'delete from scans');
  expect(await assess(second, key, 'localhost')).toMatchObject({
    status: 'failed',
    failure: 'disabled',
    assessment: null,
  });
  await report(second, key);
  expect((await assess(second, key, 'localhost')).assessment.parts).toMatchObject({
    surface: null,
    telemetry: {},
  });
  await second.end();
});

const count = (on: RunningService, what: string) =>
  Number(rows(on, `select count(*) as count from ${what}`)[0]?.count);

test('a scan and its entry are stored together or not at all, with SIGKILL at any moment', async () => {
  let service = await start('binary', PRIVATE);
  const { key } = await issueControlled(service);
  for (let round = 0; round < 4; round++) {
    const asked = Array.from({ length: 40 }, async () => {
      const { json } = await askScan(service, key, { site_url: 'localhost', scan_type: 'posture' });
      await readScan(service, key, json.data.scan_id);
    }).map((each) => each.catch(() => {}));
    const wanted = count(service, 'evidence_entries') + 3 + round;
    // Some rounds end early: a waiting scan is not requested twice.
    await until(() => count(service, 'evidence_entries') >= wanted, 1_000).catch(() => {});
    // On a busy machine, or where a killed node has the turn of its license, later rounds may complete no
    // scan.
    await until(() => count(service, "evidence_entries where type = 'scan'") > 0);
    await service.end('SIGKILL');
    await Promise.all(asked);
    const done = count(service, 'scans where finished_at is not null and failure is null');
    const entries = count(service, 'evidence_entries');
    expect(count(service, "evidence_entries where type = 'scan'")).toBe(done);
    expect(rows(service, 'select size from evidence_logs')).toEqual([{ size: entries }]);
    service = await start('binary', service.env);
    const { size, pending } = await state(service, key);
    expect(size + pending).toBeGreaterThanOrEqual(entries);
  }
  expect((await entriesOf(service, key, '?type=scan')).length).toBeGreaterThan(0);
  const { text } = await get(service, key, '/export');
  const file = join(temporaryDirectory(), 'export');
  writeFileSync(file, text);
  expect((await run('binary', {}, 'evidence', 'verify', file)).exitCode).toBe(0);
  await service.end();
});
