import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createIdentities } from '../../../src/domain/identity.ts';
import type { Exploitation, Exposure } from '../../../src/domain/risk/facts.ts';
import { nameHash } from '../../../src/domain/vulnerability/ecosystem.ts';
import { lookUpAll } from '../../../src/domain/vulnerability/findings.ts';
import { NO_INVENTORY, renewInventory } from '../../../src/domain/vulnerability/inventory.ts';
import type { KnownVulnerability } from '../../../src/domain/vulnerability/known.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readTenantData } from '../../../src/storage/tenant-data.ts';
import { readAssertions } from '../../../src/storage/vulnerabilities/assertions.ts';
import { judgeComponents, keptComponents } from '../../../src/storage/vulnerabilities/site-findings.ts';
import { KERNEL, LISTED, SQL_INJECTION, STORED_XSS, TAKEOVER } from '../../domain/risk/known.ts';
import { before, dataOf, known, limitsOf } from '../../domain/vulnerability/known-data.ts';
import { addTwoTenants } from '../../support/database.ts';
import { type Engine, engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

/** Everything that a deadline depends on. */
interface Facts {
  readonly vector: string;
  readonly isListed: boolean;
  readonly asserted: Exploitation | null;
  readonly exposure: Exposure | null;
  readonly isActive: boolean;
}

const facts: fc.Arbitrary<Facts> = fc.record({
  vector: fc.constantFrom(KERNEL, STORED_XSS, SQL_INJECTION, TAKEOVER),
  isListed: fc.boolean(),
  asserted: fc.constantFrom(null, 'none', 'poc', 'active'),
  exposure: fc.constantFrom(null, 'small', 'controlled', 'open'),
  isActive: fc.boolean(),
});
const WORSE: readonly Partial<Facts>[] = [
  { isListed: true },
  { asserted: 'active' },
  { exposure: 'open' },
  { isActive: true },
  { vector: TAKEOVER },
];

/** An installation with one site that has one component with one vulnerability. */
async function newWorld(engine: Engine) {
  const db = await engine.open();
  await addTwoTenants(db);
  return worldOf(db);
}

function worldOf(db: Database) {
  const jobs = prepareJobs(db);
  const data = readTenantData(db, db);
  const assertions = readAssertions(db);
  const identities = createIdentities(new Uint8Array(32));
  const site = { id: 1, publicId: 'a' };
  let vulnerability: KnownVulnerability | undefined;

  return {
    close: () => disconnect(db),

    async forget() {
      vulnerability = undefined;
      for (const table of ['site_inventories', 'site_importances', 'exploitation_assertions'])
        await execute(db, `delete from ${table}`);
    },

    /** Sets the facts, as an import, the operator and the tenant do; returns the due date of the finding. */
    async become({ vector, isListed, asserted, exposure, isActive }: Facts, now: number): Promise<number> {
      const told = {
        ...known().facts,
        cvssVectors: [vector],
        knownExploited: isListed ? [LISTED] : [],
      };
      vulnerability = known({ facts: told, ...limitsOf(told, now, vulnerability) });
      const imported = dataOf([vulnerability, before('2.0')]);
      if (asserted === null) await jobs.withdrawAssertion({ name: vulnerability.id });
      else
        await jobs.assertExploitation({
          name: vulnerability.id,
          exploitation: asserted,
          reason: `${now}`,
          now,
        });
      await jobs.setImportance({ licenseId: 1, siteId: 1, importance: 'medium', exposure, now });
      const component = {
        ecosystem: 'wordpress-plugin',
        name: null,
        nameHash: nameHash('wordpress-plugin', 'gallery'),
        version: '1.0',
        status: isActive ? ('active' as const) : ('inactive' as const),
      };
      const earlier = (await data.inventories.ofSite(1, 1)) ?? NO_INVENTORY;
      const outcomes = await lookUpAll(imported, [component]);
      const inventory = await renewInventory([component], outcomes, earlier, imported, now);
      await jobs.replaceInventory({ licenseId: 1, siteId: 1, ...inventory, receivedAt: now });
      const kept = await keptComponents(data, identities, 1, site);
      if (kept === undefined) throw new Error('nothing is kept');
      const imports = { data: imported, assertions: await assertions() };
      const [found] = (await judgeComponents(kept, imports, now)).findings;
      if (found === undefined) throw new Error('nothing was found');
      expect(found.times.dueAt === null).toBe(found.finding.risk.remediateWithinDays === null);
      return found.times.dueAt ?? Number.POSITIVE_INFINITY;
    },
  };
}

const history = fc.record({
  steps: fc.array(fc.record({ days: fc.integer({ min: 1, max: 40 }), facts }), {
    minLength: 2,
    maxLength: 8,
  }),
  worse: fc.constantFrom(...WORSE),
  from: fc.nat({ max: 7 }),
  length: fc.integer({ min: 1, max: 8 }),
});

test('a fact that becomes temporarily worse postpones no due date', async () => {
  const [calm, grave] = [await newWorld(engine), await newWorld(engine)];
  await fc.assert(
    fc.asyncProperty(history, async ({ steps, worse, from, length }) => {
      await calm.forget();
      await grave.forget();
      let now = 0;
      for (const [at, { days, facts: told }] of steps.entries()) {
        now += days * DAY_MS;
        const isWorse = at >= from && at < from + length;
        const due = await calm.become(told, now);
        expect(await grave.become(isWorse ? { ...told, ...worse } : told, now)).toBeLessThanOrEqual(due);
      }
    }),
    { numRuns: engine.runs(300) },
  );
  for (const world of [calm, grave]) await world.close();
});

test('a due date stays when a tenant changes and reverts facts of its site within thirty days', async () => {
  const world = await newWorld(engine);
  const said = fc.record({ exposure: facts.map((one) => one.exposure), isActive: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(said, { maxLength: 8 }), async (isActive, between) => {
      const worst = {
        vector: SQL_INJECTION,
        isListed: false,
        asserted: 'active',
        exposure: 'open',
        isActive,
      } as const;
      await world.forget();
      const due = await world.become(worst, 0);
      for (const [at, told] of between.entries())
        await world.become({ ...worst, ...told }, (at + 1) * 3 * DAY_MS);
      expect(await world.become(worst, 28 * DAY_MS)).toBe(due);
    }),
    { numRuns: engine.runs(100) },
  );
  await world.close();
});
