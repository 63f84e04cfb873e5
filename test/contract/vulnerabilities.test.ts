import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_COMPONENTS } from '../../src/cli/demo-vulnerabilities.ts';
import { nameHash } from '../../src/domain/vulnerability/ecosystem.ts';
import { API, call } from '../support/client.ts';
import { osvRecord } from '../support/feeds.ts';
import { importDemo, importRecords } from '../support/mirror.ts';
import { type RunningService, SURE, start, TARGETS } from '../support/service.ts';
import { everythingKept, rows, stored } from '../support/store.ts';
import { integrationStates } from '../support/tenant.ts';

const DAY_MS = 86_400_000;
const GALLERY = { ecosystem: 'wordpress-plugin', name: 'example-gallery', version: '1.2.3' };
const FORMS = DEMO_COMPONENTS[1];
const PRIVATE = 'our-secret-plugin';

interface Site {
  readonly key: string;
  readonly id: string;
}

/** A license with one site that has reported. */
async function siteOf(service: RunningService, ...options: string[]): Promise<Site> {
  const { key } = await service.issue('--plan', 'pro', '--test', ...options);
  const body = { site_url: 'https://shop.test', license_key: key };
  await call(service.url, `${API}/telemetry`, { key, body });
  return { key, id: (await call(service.url, `${API}/sites`, { key })).json.data.sites[0].id };
}

const askers = (service: RunningService) => {
  const ask = (key: string, path: string, body?: unknown) =>
    call(service.url, API + path, { key, ...(body === undefined ? {} : { body }) });
  return {
    ask,
    match: (key: string, ...components: readonly object[]) =>
      ask(key, '/vulnerabilities/match', { components }),
    tell: ({ key, id }: Site, ...components: readonly object[]) =>
      ask(key, `/sites/${id}/components`, { components }),
    found: async ({ key, id }: Site, query = '') =>
      (await ask(key, `/sites/${id}/vulnerabilities${query}`)).json.data,
  };
};

describe.each(TARGETS)('under %s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: it has to start without vulnerability data.
    service = await start(target, {
      SERVICE_RATE_KEY_PER_MINUTE: '100000',
      SERVICE_RATE_IP_PER_MINUTE: '100000',
    });
    await importDemo(service);
  });
  afterAll(async () => {
    expect(service.log()).not.toContain('unexpected error');
    await service.end();
  });

  test('a list of components creates events if a target receives them', async () => {
    const { ask, tell } = askers(service);
    const [site, other] = [await siteOf(service), await siteOf(service)];
    const { id } = rows(service, 'select max(id) - 1 as id from licenses')[0] ?? {};
    const types = ['vulnerability.found', 'vulnerability.exploited', 'vulnerability.fixed'];
    rows(
      service,
      `insert into targets (public_id, license_id, name, kind, address, format, events, min_severity, digest_ms,
        licenses, customers, is_personal_included, created_at)
        values ('tgt_1', ?, 'hook', 'webhook', 'https://hooks.example/', 'standard', ?, 'info', 0, '[]', '[]', 0, 0)`,
      Number(id),
      JSON.stringify(types),
    );
    rows(service, 'insert into target_states (target_id) select id from targets');
    for (const each of [site, other]) await tell(each, ...DEMO_COMPONENTS);
    const { findings } = (await ask(site.key, `/sites/${site.id}/vulnerabilities`)).json.data;
    await tell(site);
    const told = rows(service, 'select type, license_id, data from outbox order by id');
    expect(told.map(({ type }) => type)).toEqual(types.slice(0, 2));
    const data = told.map((row) => JSON.parse(String(row.data)));
    expect(data[0]).toEqual({
      license: `lic_${id}`,
      site_id: site.id,
      domain: 'shop.test',
      cause: 'inventory',
      sites: 1,
      vulnerabilities: findings.length,
    });
    await service.command('notify', 'remove', 'tgt_1', ...SURE);
  });

  test('an exploited vulnerability limits the score of its site to 49 at once, in every answer, and no longer once it is fixed', async () => {
    const { ask, tell } = askers(service);
    const site = await siteOf(service);
    const scores = async () => {
      const [listed] = (await ask(site.key, '/sites')).json.data.sites;
      const detail = (await ask(site.key, `/sites/${site.id}`)).json.data;
      const { json } = await ask(site.key, '/analytics/metrics', { sections: ['sites'] });
      const factor = detail.score_factors.find(
        (each: { factor: string }) => each.factor === 'vulnerabilities',
      );
      return [listed.security_score, detail.security_score, json.sites?.[0]?.security_score, factor];
    };
    const [before, ...others] = await scores();
    expect([before, others[0], others[2]]).toEqual([
      92,
      92,
      expect.objectContaining({ points: 20, remedy: null }),
    ]);

    await ask(site.key, `/sites/${site.id}/importance`, { importance: 'high' });
    await tell(site, ...DEMO_COMPONENTS);
    const [list, detail, , factor] = await scores();
    expect([list, detail]).toEqual([49, 49]);
    expect(factor).toMatchObject({
      points_max: 20,
      finding: expect.stringContaining('The score is limited to 49'),
      remedy: expect.stringContaining('most urgent first'),
    });

    await tell(site, { ...GALLERY, version: '1.2.4' });
    expect((await scores()).slice(0, 2)).toEqual([92, 92]);
    await tell(site);
    expect((await scores()).slice(0, 2)).toEqual([92, 92]);
  });

  test('without imported data nothing is reported as safe, and an import counts from the next request on', async () => {
    const service = await start(target);
    const { ask, match, tell, found } = askers(service);
    const site = await siteOf(service);
    expect((await ask(site.key, '/vulnerabilities/mirror')).json.data).toEqual({
      state: 'empty',
      damaged: false,
      snapshot_id: null,
      imported_at: null,
      sources: [],
      epss_model_version: null,
    });
    for (const path of [`/sites/${site.id}/vulnerabilities`, '/vulnerabilities/CVE-1998-0001']) {
      const { status, json, headers } = await ask(site.key, path);
      expect([path, status, json.error.code, headers.get('retry-after')]).toEqual([
        path,
        503,
        'MIRROR_EMPTY',
        '3600',
      ]);
    }
    expect((await match(site.key, GALLERY)).json.error.code).toBe('MIRROR_EMPTY');
    expect((await tell(site, GALLERY)).json.error.code).toBe('MIRROR_EMPTY');
    expect((await tell(site)).json.data).toMatchObject({ persistence: 'forgotten', component_count: 0 });
    expect(await integrationStates(service.url, site.key)).toMatchObject({
      vulnerability_mirror: 'disabled',
    });

    await importDemo(service);
    const mirror = (await ask(site.key, '/vulnerabilities/mirror')).json.data;
    expect(mirror).toMatchObject({ state: 'current', epss_model_version: 'v2026.06.15' });
    expect(
      mirror.sources.map(({ id, records, stale }: Record<string, unknown>) => [id, records, stale]),
    ).toEqual([
      ['demo', 4, false],
      ['demo:epss', 4, false],
      ['demo:kev', 1, false],
    ]);
    expect(await integrationStates(service.url, site.key)).toMatchObject({ vulnerability_mirror: 'active' });
    expect((await tell(site, ...DEMO_COMPONENTS)).json.data).toEqual({
      persistence: 'stored',
      received_at: expect.any(String),
      component_count: 3,
      finding_count: 2,
      counts: { vulnerable: 2, no_known: 0, unknown_version: 0, no_data: 1, unsupported: 0 },
    });
    const { findings, snapshot_id, sources } = await found(site);
    expect(snapshot_id).toBe(mirror.snapshot_id);
    expect(findings.map(({ vulnerability_id }: Record<string, unknown>) => vulnerability_id)).toEqual([
      'CVE-1998-0001',
      'CVE-1998-0002',
    ]);
    expect(findings[0]).toMatchObject({
      name: 'example-gallery',
      fixed_versions: ['1.2.4'],
      severity: 'critical',
      overdue: false,
      attribution: ['demo'],
      risk: { decision: 'act', remediate_within_days: 3, forensics: true },
    });
    expect(Date.parse(findings[0].due_at) - Date.parse(findings[0].first_seen_at)).toBe(3 * DAY_MS);
    expect(sources).toEqual([expect.objectContaining({ id: 'demo', license: expect.any(String) })]);

    await importRecords(service, 'osv:wordpress', [
      osvRecord({
        id: 'OSV-9',
        aliases: [],
        affected: [
          {
            package: { ecosystem: 'WordPress:Theme', name: 'example-theme' },
            ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { last_affected: '2.0.0' }] }],
          },
        ],
      }),
    ]);
    const later = await found(site);
    expect(later.counts).toMatchObject({ vulnerable: 3, no_data: 0 });
    const [theme] = later.findings.filter(({ name }: Record<string, unknown>) => name === 'example-theme');
    expect(theme).toMatchObject({
      fixed_versions: [],
      risk: { recommendation: expect.stringContaining('Remove') },
    });
    await service.end();
  });

  test('a name and its hash have the same findings, and a name sent as a hash is stored nowhere', async () => {
    const { ask, match, tell, found } = askers(service);
    const site = await siteOf(service);
    const hashed = { ecosystem: GALLERY.ecosystem, name_hash: nameHash(GALLERY.ecosystem, GALLERY.name) };
    const secret = {
      ecosystem: 'wordpress-plugin',
      name_hash: nameHash('wordpress-plugin', PRIVATE),
      version: '1',
    };
    const [byName, byHash, unknown] = (
      await match(site.key, GALLERY, { ...hashed, version: '1.2.3' }, secret)
    ).json.data.components;
    expect(byHash.findings).toEqual(byName.findings);
    expect(unknown).toEqual({ index: 2, outcome: 'no_known', findings: [] });

    await tell(site, secret, { ...hashed, version: '1.2.3' });
    expect((await ask(site.key, `/sites/${site.id}/components`)).json.data.components).toEqual([
      { ...secret, name: null, status: 'active', since: expect.any(String), outcome: 'no_known' },
      {
        ...hashed,
        version: '1.2.3',
        name: null,
        status: 'active',
        since: expect.any(String),
        outcome: 'vulnerable',
      },
    ]);
    expect((await found(site)).findings).toHaveLength(1);
    for (const kept of everythingKept(service)) expect(kept.includes(PRIVATE)).toBe(false);
  });

  test('a list is replaced, and deleted by an empty one; another license’s site is reported as missing', async () => {
    const { ask, tell } = askers(service);
    const [own, other] = [await siteOf(service), await siteOf(service)];
    expect((await tell(own, GALLERY)).json.data.persistence).toBe('stored');
    expect((await tell(own, GALLERY, GALLERY)).json.data).toMatchObject({
      persistence: 'replaced',
      component_count: 1,
    });
    const elsewhere = { key: own.key, id: other.id };
    for (const reply of [
      await tell(elsewhere, GALLERY),
      await ask(own.key, `/sites/${other.id}/components`),
      await ask(own.key, `/sites/${other.id}/vulnerabilities`),
      await ask(own.key, `/sites/${other.id}/importance`, { importance: 'low' }),
    ])
      expect([reply.status, reply.json.error.code]).toEqual([404, 'SITE_NOT_FOUND']);
    expect((await ask(other.key, `/sites/${other.id}/components`)).json.data).toEqual({
      inventory_at: null,
      components: [],
    });
    expect((await tell(own)).json.data.persistence).toBe('forgotten');
    expect((await ask(own.key, `/sites/${own.id}`)).json.data.vulnerabilities).toBeNull();
  });

  test.each<[string, unknown]>([
    ['a folder with blanks and brackets', { ...GALLERY, name: 'my gallery (old)' }],
    ['a folder with a comma', { ...GALLERY, name: 'gallery,2' }],
    ['a long name', { ...GALLERY, name: 'x'.repeat(129) }],
    ['letters of another script', { ...GALLERY, name: 'gаllery' }],
    ['a name that is a fraction', { ...GALLERY, name: 7.5 }],
    ['an empty name', { ...GALLERY, name: '' }],
    ['a name that is null', { ...GALLERY, name: null }],
    ['a version of 65 digits', { ...GALLERY, version: '1'.repeat(65) }],
    ['an empty version', { ...GALLERY, version: '' }],
    ['no version', { ...GALLERY, version: null }],
    ['a version that is a fraction', { ...GALLERY, version: 1.5 }],
    ['both a name and a hash', { ...GALLERY, name_hash: nameHash('npm', 'x') }],
    ['neither', { ecosystem: 'npm', version: '1' }],
    ['a hash of the wrong length', { ecosystem: 'npm', name_hash: 'abc', version: '1' }],
    ['an unknown status', { ...GALLERY, status: 'paused' }],
    ['an ecosystem with a blank', { ...GALLERY, ecosystem: 'word press' }],
    ['a field of its own', { ...GALLERY, colour: 'red' }],
    ['null', null],
    ['a list', []],
    ['a number', 1],
  ])('%s is unsupported in its place, the rest counts, and nothing of it is stored', async (_, odd) => {
    const { ask, match, tell } = askers(service);
    const site = await siteOf(service);
    const { data } = (await match(site.key, GALLERY, odd as object, GALLERY)).json;
    expect(data.components.map(({ index, outcome }: Record<string, unknown>) => [index, outcome])).toEqual([
      [0, 'vulnerable'],
      [1, 'unsupported'],
      [2, 'vulnerable'],
    ]);
    expect(data.components[1].findings).toEqual([]);
    expect(data.components[2].findings).toEqual(data.components[0].findings);
    expect(data.counts).toMatchObject({ vulnerable: 2, unsupported: 1 });

    const told = await tell(site, odd as object, GALLERY);
    expect(told.json.data).toMatchObject({
      persistence: 'stored',
      component_count: 1,
      counts: { vulnerable: 1, unsupported: 1 },
    });
    const kept = await ask(site.key, `/sites/${site.id}/components`);
    expect(kept.json.data.components).toMatchObject([GALLERY]);
    expect(kept.json.data.components).toHaveLength(1);
    const alone = await tell(site, odd as object);
    expect(alone.json.data).toMatchObject({ persistence: 'unchanged', counts: { unsupported: 1 } });
  });

  test.each(['v1.2.3', 'V1.2.3', ' 1.2.3\n', 'version 1.2.3', '1.2.3 RC1', '1.2.3-RC1', 'v1.2.3-beta.2'])(
    'a version written as %j is looked up',
    async (version) => {
      const { match, tell } = askers(service);
      const site = await siteOf(service);
      const { data } = (await match(site.key, { ...GALLERY, version })).json;
      expect(data.components).toMatchObject([{ outcome: 'vulnerable' }]);
      expect((await tell(site, { ...GALLERY, version })).json.data.counts).toMatchObject({ vulnerable: 1 });
    },
  );

  test('a status that is null or empty counts as absent', async () => {
    const { tell } = askers(service);
    const site = await siteOf(service);
    const sent = [null, ''].map((status) => ({ ...GALLERY, status, name_hash: status }));
    expect((await tell(site, ...sent)).json.data).toMatchObject({
      component_count: 1,
      counts: { vulnerable: 1, unsupported: 0 },
    });
  });

  test.each<[string, object, string]>([
    ['no list', {}, 'components'],
    ['a list that is null', { components: null }, 'components'],
    ['a text in place of the list', { components: 'none' }, 'components'],
    ['one component too many', { components: Array(501).fill(GALLERY) }, 'components'],
    ['another field', { components: [GALLERY], planted: 1 }, '(unknown field)'],
  ])('%s is refused by its place, and nothing is stored', async (_, body, place) => {
    const { ask } = askers(service);
    const { key, id } = await siteOf(service);
    const before = stored(service);
    for (const path of ['/vulnerabilities/match', `/sites/${id}/components`]) {
      const { status, json } = await ask(key, path, body);
      expect([path, status, json.error.code]).toEqual([path, 400, 'INVALID_COMPONENTS']);
      expect(json.error.message).toStartWith(place);
    }
    expect(stored(service)).toEqual(before);
  });

  test.each<[string, object, string]>([
    ['a path', { ...GALLERY, name: 'wp-content/plugins/example' }, 'components[1].name'],
    ['a mailbox', { ...GALLERY, name: 'ann@example.com' }, 'components[1].name'],
    ['a title', { ...GALLERY, title: 'My Gallery' }, 'components[1].title'],
    ['an author', { ...GALLERY, author: 'Ann Author' }, 'components[1].author'],
    ['users', { ...GALLERY, user_count: 12 }, 'components[1].user_count'],
    ['an address', { ...GALLERY, url: 'https://example.org' }, 'components[1].url'],
  ])('%s in a component is refused for privacy by its place, and repeated nowhere', async (_, bad, place) => {
    const { ask } = askers(service);
    const { key, id } = await siteOf(service);
    const before = stored(service);
    for (const path of ['/vulnerabilities/match', `/sites/${id}/components`]) {
      const { status, json, text } = await ask(key, path, { components: [GALLERY, bad] });
      expect([path, status, json.error.code]).toEqual([path, 400, 'COMPONENTS_PRIVACY_REJECTED']);
      expect(json.error.message).toStartWith(`${place}: `);
      expect(text).not.toMatch(/wp-content|ann@|My Gallery|Author|example.org/);
    }
    expect(stored(service)).toEqual(before);
  });

  test('a plugin’s file instead of its folder is refused, with a hint at the folder', async () => {
    const { match } = askers(service);
    const { key } = await siteOf(service);
    const { json, text } = await match(key, { ...GALLERY, name: 'example-gallery/example-gallery.php' });
    expect(json.error).toMatchObject({
      code: 'COMPONENTS_PRIVACY_REJECTED',
      message: expect.stringContaining('send only its folder'),
    });
    expect(text).not.toContain('example-gallery');
  });

  test('the stored components of a site show everything known of each, also while the mirror is empty', async () => {
    const service = await start(target);
    const { ask, tell } = askers(service);
    const site = await siteOf(service);
    const outcomes = async () =>
      (await ask(site.key, `/sites/${site.id}/components`)).json.data.components.map(
        ({ outcome }: Record<string, unknown>) => outcome,
      );
    await importDemo(service);
    const odd = { ecosystem: 'maven', name: 'log4j', version: '1' };
    await tell(site, ...DEMO_COMPONENTS, odd, { ...GALLERY, version: '1.2.4' });
    expect(await outcomes()).toEqual(['vulnerable', 'vulnerable', 'no_data', 'unsupported', 'no_known']);
    rows(service, 'update mirror set current = null');
    expect(await outcomes()).toEqual([null, null, null, null, null]);
    await service.end();
  });

  test('500 components are accepted, and a version of 64 digits is compared digit by digit', async () => {
    const { match, tell } = askers(service);
    const site = await siteOf(service);
    const many = Array.from({ length: 499 }, (_, index) => ({
      ecosystem: 'npm',
      name: `package-${index}`,
      version: '1.0.0',
    }));
    const digits = { ...GALLERY, version: '1'.repeat(64) };
    expect((await tell(site, digits, ...many)).json.data).toMatchObject({
      component_count: 500,
      finding_count: 0,
    });
    const zeros = { ...GALLERY, version: `1.2.${'0'.repeat(59)}3` };
    const { components } = (await match(site.key, digits, zeros)).json.data;
    expect(components.map(({ outcome }: Record<string, unknown>) => outcome)).toEqual([
      'no_known',
      'vulnerable',
    ]);
  });

  test('findings come in pages, by risk and by decision', async () => {
    const { tell, found, ask } = askers(service);
    const site = await siteOf(service);
    await tell(site, ...DEMO_COMPONENTS);
    const idsOf = ({ findings }: { findings: { vulnerability_id: string }[] }) =>
      findings.map(({ vulnerability_id }) => vulnerability_id);
    const whole = idsOf(await found(site));
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await found(site, `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(whole);
    expect(idsOf(await found(site, '?min_risk=90'))).toEqual(['CVE-1998-0001']);
    expect(idsOf(await found(site, '?decision=act'))).toEqual(['CVE-1998-0001']);
    const doubled = ['?min_risk=1&min_risk=2', '?decision=act&decision=act'];
    for (const query of [
      '?min_risk=101',
      '?decision=panic',
      '?limit=0',
      '?cursor=x',
      '?other=1',
      ...doubled,
    ]) {
      const { status, json } = await ask(site.key, `/sites/${site.id}/vulnerabilities${query}`);
      expect([query, status, json.error.code]).toEqual([query, 400, 'INVALID_QUERY']);
    }
  });

  test('importance, exposure and an inactive component change the risk', async () => {
    const { ask, tell, found } = askers(service);
    const site = await siteOf(service);
    const riskOf = async () => (await found(site)).findings[0].risk;
    await tell(site, FORMS);
    const medium = await riskOf();
    const say = (body: object) => ask(site.key, `/sites/${site.id}/importance`, body);
    expect((await say({ importance: 'high' })).json.data).toMatchObject({
      importance: 'high',
      exposure: null,
    });
    expect((await riskOf()).score).toBeGreaterThan(medium.score);
    await say({ importance: 'medium', exposure: 'small' });
    expect((await riskOf()).score).toBeLessThan(medium.score);
    await say({ importance: 'medium' });
    expect(await riskOf()).toMatchObject({ score: medium.score });
    await tell(site, { ...FORMS, status: 'inactive' });
    expect((await riskOf()).decision_points).toMatchObject({ 'ssvc:EXP:1.0.1': 'controlled' });
    expect((await say({ importance: 'enormous' })).json.error.code).toBe('INVALID_PAYLOAD');
  });

  test('a vulnerability is found by any of its names, and unknown names are reported as unknown', async () => {
    const { ask } = askers(service);
    const { key } = await siteOf(service);
    const byAlias = await ask(key, '/vulnerabilities/DEMO-0001');
    expect(byAlias.json.data).toMatchObject({
      vulnerability_id: 'CVE-1998-0001',
      known_exploited: { catalogue: 'cisa' },
      affected: [{ ecosystem: 'wordpress-plugin', name: 'example-gallery' }],
    });
    for (const name of ['CVE-1998-9999', 'cve-1998-0001', '%00', 'x'.repeat(500), '__proto__'])
      expect((await ask(key, `/vulnerabilities/${name}`)).json.error.code).toBe('VULNERABILITY_NOT_FOUND');
    const scores = (
      await ask(key, '/risk/score', { vulnerabilities: [{ id: 'DEMO-0001' }, { id: 'nothing' }] })
    ).json.data.scores;
    expect(scores).toEqual([
      { id: 'DEMO-0001', known: true, risk: expect.objectContaining({ decision: 'act' }) },
      { id: 'nothing', known: false, risk: null },
    ]);
    for (const vulnerabilities of [[], [{ id: '' }], [{ id: 'a b' }], Array(101).fill({ id: 'x' })])
      expect((await ask(key, '/risk/score', { vulnerabilities })).json.error.code).toBe('INVALID_PAYLOAD');
  });
});

test('of a site with more vulnerabilities than the limit of findings, all are counted, and its list is stored', async () => {
  const service = await start('binary');
  const { match, tell, found } = askers(service);
  const site = await siteOf(service);
  await importRecords(
    service,
    'osv:npm',
    Array.from({ length: 1_001 }, (_, at) => osvRecord({ id: `OSV-${at}`, aliases: [] })),
  );
  const neglected = { ecosystem: 'npm', name: 'left-pad', version: '1.0.0' };
  expect((await tell(site, neglected, neglected)).json.data).toMatchObject({
    persistence: 'stored',
    component_count: 1,
    finding_count: 1_001,
  });
  expect(await found(site, '?limit=1')).toMatchObject({ omitted: 1, findings: [expect.anything()] });
  const { status, json } = await match(site.key, neglected);
  expect([status, json.error.code]).toEqual([400, 'INVALID_COMPONENTS']);
  await service.end();
});

test('an overdue vulnerability is a finding of posture scans and counted at the site, until a fixed version is installed', async () => {
  const service = await start('binary');
  const { ask, tell, found } = askers(service);
  const site = await siteOf(service);
  const tenDaysAgo = Date.now() - 10 * DAY_MS;
  await importDemo(service, tenDaysAgo);
  const { received_at } = (await tell(site, GALLERY, ...DEMO_COMPONENTS)).json.data;
  const scan = async () =>
    (await ask(site.key, '/scan', { site_url: 'shop.test' })).json.data.findings.map(
      ({ id, severity }: Record<string, string>) => [id, severity],
    );
  const late = ['vulnerabilities_overdue_3d', 'critical'];
  expect(await scan()).not.toContainEqual(late);

  // As if the site had reported them ten days ago.
  const [from, to] = [String(Date.parse(received_at)), String(tenDaysAgo)];
  rows(service, 'update site_inventories set components = replace(components, ?, ?)', from, to);
  expect(await found(site)).toMatchObject({ mirror_state: 'stale', overdue: 1 });
  expect(await scan()).toContainEqual(late);
  const urgent = JSON.parse(await service.command('vulns', 'urgent', '--json'));
  expect(urgent).toEqual({
    findings: [
      expect.objectContaining({
        license_state: 'active',
        domain: 'shop.test',
        ecosystem: 'wordpress-plugin',
        component: 'example-gallery',
        fixed_versions: ['1.2.4'],
        forensics: true,
        overdue: true,
      }),
    ],
    sites_without_components: 0,
    sites_of_revoked_licenses: 0,
  });
  const later = await service.command('vulns', 'urgent', '--within', '60');
  expect(later).toMatch(
    /^\S+ +open +\d+ +lic_1 +- +shop\.test +plugin example-forms 4\.0\.0 +update to 4\.0\.1 +CVE-1998-0002$/m,
  );
  expect((await ask(site.key, `/sites/${site.id}`)).json.data.vulnerabilities).toMatchObject({
    findings: 2,
    overdue: 1,
  });

  await tell(site, { ...GALLERY, version: '1.2.3.1' });
  expect((await found(site)).findings[0].first_seen_at).toBe(new Date(tenDaysAgo).toISOString());
  await tell(site, { ...GALLERY, version: '1.2.4' });
  expect(await scan()).not.toContainEqual(late);
  await service.end();
});

test.each(TARGETS)(
  'under %s data damaged in use is reported, and everything else still works',
  async (target) => {
    const service = await start(target, { SERVICE_METRICS_ALLOW: '127.0.0.1' });
    const { ask, match, tell } = askers(service);
    const site = await siteOf(service);
    await importDemo(service);
    await importRecords(service, 'osv:npm', [osvRecord()]);
    await tell(site, GALLERY);
    const mirror = async () => (await ask(site.key, '/vulnerabilities/mirror')).json.data;
    const { snapshot_id } = await mirror();
    const path = join(service.env.SERVICE_DATA_DIR ?? '', `vulnerabilities-${snapshot_id}.sqlite`);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x20, 8_192), { flag: 'r+' });

    for (const { status, json, headers } of [
      await match(site.key, GALLERY),
      await tell(site, GALLERY),
      await ask(site.key, `/sites/${site.id}/vulnerabilities`),
      await ask(site.key, '/vulnerabilities/CVE-1998-0001'),
      await ask(site.key, '/risk/score', { vulnerabilities: [{ id: 'CVE-1998-0001' }] }),
    ])
      expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'MIRROR_EMPTY', '3600']);
    expect(await mirror()).toMatchObject({ state: 'empty', damaged: true, snapshot_id: null, sources: [] });
    expect((await ask(site.key, `/sites/${site.id}`)).json.data.vulnerabilities).toBeNull();
    expect((await ask(site.key, `/sites/${site.id}/components`)).json.data.components).toHaveLength(1);
    expect((await ask(site.key, '/scan', { site_url: 'shop.test' })).status).toBe(200);
    expect((await fetch(`${service.url}/metrics`)).status).toBe(200);
    const ready = await (await fetch(`${service.url}/readyz`)).json();
    expect(ready).toMatchObject({
      status: 'ready',
      // A busy database is a warning of its own.
      warnings: expect.arrayContaining([
        expect.stringMatching(/redoubt vulns import.*redoubt vulns rollback/),
      ]),
    });
    expect(service.log().match(/vulnerability data cannot be read/g)).toHaveLength(1);
    expect(service.log()).not.toContain('unexpected error');

    await service.command('vulns', 'rollback');
    expect((await match(site.key, GALLERY)).json.data.counts.vulnerable).toBe(1);
    expect((await mirror()).damaged).toBe(false);
    await service.end();
  },
);
