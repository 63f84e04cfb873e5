import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { InventoryComponent } from '../../../src/domain/vulnerability/inventory.ts';
import { connect, type Database } from '../../../src/storage/engine/database.ts';
import { readGenerations } from '../../../src/storage/engine/generations.ts';
import { type Job, prepareJobs } from '../../../src/storage/engine/jobs.ts';
import { addTwoTenants, newDatabase } from '../../support/database.ts';

let here: Database;
let elsewhere: Database;
beforeEach(() => {
  const path = newDatabase();
  here = connect(path);
  elsewhere = connect(path);
});
afterEach(() => {
  here.$client.close();
  elsewhere.$client.close();
});

const publish = (epoch: number) =>
  elsewhere.$client
    .prepare('insert or replace into feed_snapshots (id, epoch, generated_at, entries) values (1, ?, 1, ?)')
    .run(epoch, '[]');
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the generations', () => {
  test('show what another connection committed from the next turn of the event loop on', async () => {
    const generations = readGenerations(here);
    const before = generations().feed;
    publish(1);
    await nextTurn();
    expect(generations().feed).toBeGreaterThan(before);
  });

  test('are read once in a turn, so that one turn sees one state', async () => {
    const generations = readGenerations(here);
    const before = generations();
    publish(1);
    expect(generations()).toBe(before);
    await nextTurn();
    expect(generations()).not.toBe(before);
  });

  test('do not count what was rolled back', async () => {
    const generations = readGenerations(here);
    const before = generations().feed;
    elsewhere.$client.exec('BEGIN IMMEDIATE');
    publish(1);
    elsewhere.$client.exec('ROLLBACK');
    await nextTurn();
    expect(generations().feed).toBe(before);
  });
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

/** What follows in one database, and by how much the mirror's counter grows. */
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
  [0, { name: 'publishFeed', input: { epoch: 1, generatedAt: 1, entries: '[]' } }],
];

test('the generation of the mirror grows with its snapshots and with assertions, and with nothing else', async () => {
  addTwoTenants(elsewhere);
  const generations = readGenerations(here);
  const jobs = prepareJobs(elsewhere) as Record<string, (input: unknown) => unknown>;
  for (const [by, { name, input }] of GROWTH) {
    await nextTurn();
    const before = generations();
    jobs[name]?.(input);
    await nextTurn();
    const { mirror, licenses } = generations();
    expect([name, mirror - before.mirror, licenses - before.licenses]).toEqual([name, by, 0]);
  }
});
