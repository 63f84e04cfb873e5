import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { InventoryComponent } from '../../../src/domain/vulnerability/inventory.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { askGenerations } from '../../../src/storage/engine/generations.ts';
import type { Job } from '../../../src/storage/engine/jobs/jobs.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

let here: Database;
let elsewhere: Database;
beforeEach(async () => {
  here = await engine.open();
  elsewhere = await engine.openBeside(here);
});
afterEach(async () => {
  await disconnect(here);
  await disconnect(elsewhere);
});

const ASSERTED = { name: 'CVE-2026-1', exploitation: 'active', reason: 'seen', now: 1 } as const;
const KEPT = [{ id: '00', importedAt: 1 }];
const OF_SITE = { licenseId: 1, siteId: 1 };
const COMPONENT: InventoryComponent = {
  ecosystem: 'npm',
  name: null,
  nameHash: 'x',
  version: '1',
  status: 'active',
  since: 1,
  activeSince: 1,
  firstSeen: {},
};

const ANSWERED = { licenseId: 1, verified: undefined, refusals: [] };

/** A sequence of events in one database, with the growth of the mirror's counter. */
const GROWTH: readonly (readonly [by: number, job: Job])[] = [
  [1, { name: 'switchMirror', input: { from: null, current: '00', kept: KEPT } }],
  [1, { name: 'switchMirror', input: { from: '00', current: null, kept: [] } }],
  [1, { name: 'assertExploitation', input: ASSERTED }],
  [1, { name: 'assertExploitation', input: { ...ASSERTED, exploitation: 'none' } }],
  [1, { name: 'withdrawAssertion', input: ASSERTED }],
  [0, { name: 'withdrawAssertion', input: ASSERTED }],
  [0, { name: 'replaceInventory', input: { ...OF_SITE, components: [COMPONENT], gone: [], receivedAt: 1 } }],
  [0, { name: 'setImportance', input: { ...OF_SITE, importance: 'high', exposure: 'open', now: 1 } }],
  [0, { name: 'noteLicenseActivity', input: { answers: [ANSWERED], now: 1 } }],
  [0, { name: 'publishFeed', input: { epoch: 1, generatedAt: 1, entries: '[]', own: null } }],
];

test('the generation of the mirror grows with its snapshots and assertions, and with nothing else', async () => {
  await addTwoTenants(elsewhere);
  const generations = askGenerations(here);
  const jobs = prepareJobs(elsewhere) as Record<string, (input: unknown) => Promise<unknown>>;
  for (const [by, { name, input }] of GROWTH) {
    const before = await generations();
    await jobs[name]?.(input);
    const { mirror, licenses } = await generations();
    expect([name, mirror - before.mirror, licenses - before.licenses]).toEqual([name, by, 0]);
  }
});
