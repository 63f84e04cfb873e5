import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { defaultCatalog, PLANS } from '../../src/domain/license/catalog.ts';
import { HOLDS, LICENSE_STATES, type Terms } from '../../src/domain/license/license.ts';
import { newLicenseKey } from '../../src/domain/license/license-key.ts';
import {
  disclosedReasonOf,
  outcomeOf,
  VERIFICATIONS,
  type Verification,
} from '../../src/domain/license/verification.ts';
import type { Exchange } from '../../src/http/context.ts';
import { explainLicense, licenseOfKey } from '../../src/operator/explain-license.ts';
import { license } from '../../src/routes/license.ts';
import { createLicenseLookup } from '../../src/server/license-lookup.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import type { Jobs } from '../../src/storage/engine/jobs/jobs.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { readLicenses } from '../../src/storage/licenses/licenses.ts';
import { alone, type PartsFor } from '../support/endpoint.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

const NOW = 1_800_000_000_000;
const STAGING = ['staging.net'];
const settings = {
  stagingDomains: STAGING,
  dailyCap: 500,
  scanDailyCap: 50,
  dailyEvents: undefined,
  dailyBytes: undefined,
};

const moment = fc.constantFrom(NOW - 1, NOW, NOW + 1);
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });
const terms = fc.record<Terms>({
  kind: fc.constantFrom('paid', 'trial'),
  plan: fc.constantFrom(...PLANS),
  sitesOverride: orNull(fc.nat(3)),
  modulesAllowed: fc.constant([]),
  expiresAt: orNull(moment),
});
const holds = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...HOLDS], { minLength: 1 }));
const scene = fc.record({
  terms,
  facts: fc.record({
    environment: fc.constantFrom('live', 'test'),
    granted: orNull(terms),
    holds,
    paymentHolds: holds,
    paymentHoldFrom: orNull(moment),
    revokedAt: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.constant(NOW - 5)),
    pendingUntil: orNull(moment),
  }),
  domains: fc.subarray(['a.com', 'b.com', 'c.test']),
  blocked: fc.subarray(['x.com', 'y.test']),
  /** Null asks with the current key, a number with an old one. */
  oldWorksUntil: orNull(moment),
  asked: fc.option(
    fc.constantFrom(
      ...['a.com', 'https://www.a.com/shop', 'B.COM', 'new.com', 'x.com', 'www.x.com', 'y.test', 'c.test'],
      ...['d.test', 'shop.staging.net', '10.0.0.1', 'no domain', ''],
    ),
    { nil: undefined },
  ),
});
type Scene = typeof scene extends fc.Arbitrary<infer Value> ? Value : never;

let db: Database;
let jobs: Jobs;
let ask: ReturnType<typeof alone>;
let generation = 0;
beforeAll(async () => {
  db = await engine.open();
  jobs = prepareJobs(db);
  const findLicense = createLicenseLookup({
    findByKeyHash: readLicenses(db).findByKeyHash,
    generation: () => generation,
    catalog: defaultCatalog,
    now: () => NOW,
  });
  const parts = {
    config: { stagingDomains: STAGING },
    catalog: defaultCatalog,
    clock: { now: () => NOW },
    findLicense,
    limits: { perIp: () => () => undefined },
    uses: { note: () => {} },
    payments: { confirmPending: async () => {} },
    writer: {
      async write(name: keyof Jobs, input: never) {
        generation++;
        return jobs[name](input);
      },
    },
  };
  ask = alone(license, parts as unknown as PartsFor<typeof license>);
});
afterAll(() => disconnect(db));

/** A license of the given scene, and the key to ask with. */
async function enter({ terms, facts, domains, blocked, oldWorksUntil }: Scene): Promise<string> {
  const first = newLicenseKey('live');
  await execute(db, 'delete from previous_keys; delete from license_domains; delete from blocked_domains');
  const licenseId = await jobs.issueLicense({
    ...first.stored,
    ...terms,
    environment: 'live',
    modulesAllowed: [],
    modulesDenied: [],
    note: null,
    domains,
    createdAt: 1,
    issuedBy: { actor: 'cli:test' },
  });
  for (const domain of blocked) await jobs.blockDomain({ licenseId, domain, now: 1 });
  const rotated = { id: licenseId, stored: newLicenseKey('live').stored, oldWorksUntil };
  if (oldWorksUntil !== null) await jobs.rotateKey(rotated);
  const columns = {
    environment: facts.environment,
    granted: facts.granted && JSON.stringify(facts.granted),
    holds: JSON.stringify(facts.holds),
    payment_holds: JSON.stringify(facts.paymentHolds),
    payment_hold_from: facts.paymentHoldFrom,
    revoked_at: facts.revokedAt,
    pending_until: facts.pendingUntil,
  };
  await prepare(
    db,
    `update licenses set ${Object.keys(columns).map((name) => `${name} = ?`)} where id = ?`,
  ).run(...Object.values(columns), licenseId);
  return first.key;
}

/** The answer of license/verify, and its result. */
async function verify(key: string, domain: string | undefined) {
  const exchange: Exchange = { requestId: '', startedAt: 0, bodyMsMax: 10_000 };
  generation++;
  const headers = { authorization: `Bearer ${key}` };
  const request = { method: 'POST', headers, body: JSON.stringify({ domain }) };
  const answer = await ask(new Request('http://localhost/license/verify', request), { exchange });
  const { valid, plan, reason } = JSON.parse(await answer.text());
  return { found: exchange.verification, told: [valid, plan, reason] };
}

const seen = { states: new Set<string>(), found: new Set<Verification>() };

test('explain reports for any license, key and domain the answer of license/verify', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (drawn) => {
      const key = await enter(drawn);
      const license = await licenseOfKey(db, key);
      if ('refused' in license) throw new Error(license.refused);
      const parts = { db, catalog: defaultCatalog, settings, now: NOW };
      const { verification, standing, why } = await explainLicense(parts, license, drawn.asked);

      const { found, told } = await verify(key, drawn.asked);
      expect(found).toBe(verification);
      expect(told).toEqual([
        outcomeOf(verification) === 'valid',
        verification === 'valid' ? standing.plan : 'free',
        disclosedReasonOf(verification),
      ]);
      expect(why.length).toBeGreaterThan(0);
      seen.states.add(standing.state);
      seen.found.add(verification);
    }),
    { numRuns: engine.runs(600) },
  );
  // Fewer runs do not reach every state.
  if (!engine.isThorough) return;
  expect([...seen.states].sort()).toEqual([...LICENSE_STATES].sort());
  expect([...seen.found].sort()).toEqual([...VERIFICATIONS].sort());
}, 60_000);

test('explain names both plans of a license with a grant and its own terms', async () => {
  const own = {
    kind: 'paid',
    plan: 'starter',
    sitesOverride: null,
    modulesAllowed: [],
    expiresAt: NOW + 9,
  } as const;
  const granted = { ...own, plan: 'enterprise', expiresAt: NOW + 1 } as const;
  const facts = {
    environment: 'live',
    holds: [],
    paymentHolds: [],
    paymentHoldFrom: null,
    revokedAt: null,
    pendingUntil: null,
  } as const;
  const whyWith = async (terms: Terms, grant: Terms | null) => {
    const key = await enter({
      terms,
      facts: { ...facts, holds: [], paymentHolds: [], granted: grant },
      domains: [],
      blocked: [],
      oldWorksUntil: null,
      asked: undefined,
    });
    const license = await licenseOfKey(db, key);
    if ('refused' in license) throw new Error(license.refused);
    const parts = { db, catalog: defaultCatalog, settings, now: NOW };
    return (await explainLicense(parts, license)).why.join('; ');
  };
  const [soon, later] = [NOW + 1, NOW + 9].map((at) => new Date(at).toISOString());
  expect(await whyWith(own, granted)).toContain(
    `granted the plan enterprise until ${soon}, in addition to its own plan starter until ${later}`,
  );
  expect(await whyWith(own, { ...granted, expiresAt: null })).toContain('plan enterprise without expiry');
  expect(await whyWith(own, { ...granted, expiresAt: NOW })).not.toContain('granted');
  expect(await whyWith(own, null)).not.toContain('granted');
});
