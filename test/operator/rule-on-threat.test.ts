import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FeedRuling } from '../../src/domain/threat/feed-ruling.ts';
import { fingerprintOf } from '../../src/domain/threat/fingerprint.ts';
import { oneAfterAnother } from '../../src/lib/one-after-another.ts';
import { allowThreat, restoreThreat, withdrawThreat } from '../../src/operator/rule-on-threat.ts';
import { prepareChanges } from '../../src/storage/changes.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { readAudit } from '../../src/storage/operators/audit.ts';
import { readFeedRulings } from '../../src/storage/threats/feed-rulings.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

const author = { actor: 'cli:alice', reason: 'told to', now: 1 } as const;
const ACTS = { withdraw: withdrawThreat, allow: allowThreat, restore: restoreThreat };
type ActName = keyof typeof ACTS;
const RULED: Readonly<Record<ActName, FeedRuling | null>> = {
  withdraw: 'withdrawn',
  allow: 'allowed',
  restore: null,
};
const named = (payloadHash: string) =>
  fingerprintOf({ attackType: 'xss', behaviorClass: 'scanner', payloadHash });
const [PUBLISHED, ALSO_PUBLISHED, UNKNOWN] = [named('1'), named('2'), named('3')];

let db: Database;
let transact: ReturnType<typeof prepareChanges>;
beforeEach(async () => {
  db = await engine.open();
  transact = prepareChanges(db);
  const entries = JSON.stringify(
    [PUBLISHED, ALSO_PUBLISHED].map((fingerprint) => ({
      fingerprint,
      attack_type: 'xss',
      severity: 'high',
      corroboration_count: 3,
    })),
  );
  await transact(async (run) =>
    run({ name: 'publishFeed', input: { epoch: 1, generatedAt: 1, entries, own: null } }),
  );
});
afterEach(() => disconnect(db));

const stored = async () => ({
  rulings: await readFeedRulings(db).page({ limit: 1_000 }),
  audited: await readAudit(db, { limit: 1_000 }),
});

/** Does an act, unless it is refused or changes nothing, which it tells. */
async function perform(name: ActName, fingerprint: string): Promise<'done' | 'unchanged' | string> {
  const plan = await ACTS[name](db, fingerprint, author);
  if ('refused' in plan) return plan.refused;
  await transact((run) => oneAfterAnother(plan.jobs, run));
  return plan.jobs.length > 0 ? 'done' : 'unchanged';
}

test('after any sequence of acts, rulings and the audit log match a simple model', async () => {
  const step = fc.tuple(
    fc.constantFrom(...(Object.keys(ACTS) as ActName[])),
    fc.constantFrom(PUBLISHED, ALSO_PUBLISHED, UNKNOWN),
  );
  const book = new Map<string, FeedRuling>();
  await fc.assert(
    fc.asyncProperty(fc.array(step), async (steps) => {
      for (const [name, fingerprint] of steps) {
        const [was, is, before] = [book.get(fingerprint), RULED[name], await stored()];
        const isRefused =
          was === undefined && (name === 'restore' || (name === 'withdraw' && fingerprint === UNKNOWN));
        const outcome = await perform(name, fingerprint);
        if (isRefused || was === is) {
          expect(outcome).toMatch(
            !isRefused ? /^unchanged$/ : name === 'restore' ? /neither withdrawn/ : /"redoubt feed allow"/,
          );
          expect(await stored()).toEqual(before);
          continue;
        }
        expect(outcome).toBe('done');
        if (is === null) book.delete(fingerprint);
        else book.set(fingerprint, is);
        const { rulings, audited } = await stored();
        expect(rulings.map((each) => [each.fingerprint, each.ruling]).sort()).toEqual([...book].sort());
        expect(audited[0]).toMatchObject({
          actor: 'cli:alice',
          reason: 'told to',
          action: `feed.${name}`,
          subject: fingerprint,
          before: { ruling: was ?? null },
          after: { ruling: is },
        });
      }
    }),
    { numRuns: engine.runs(30) },
  );
});

test.each([
  ['empty', ''],
  ['too short', PUBLISHED.slice(1)],
  ['too long', `${PUBLISHED}A`],
  ['no base64url', PUBLISHED.replace(/^./, '+')],
  ['not of 256 bits', PUBLISHED.replace(/.$/, 'B')],
  ['a license key', `rdt_${'a'.repeat(39)}`],
])('a fingerprint that is %s is refused without being repeated, and nothing is stored', async (_, text) => {
  const before = await stored();
  for (const name of Object.keys(ACTS) as ActName[]) {
    const refused = await perform(name, text);
    expect(refused).toMatch(/^not a fingerprint/);
    if (text !== '') expect(refused).not.toContain(text);
  }
  expect(await stored()).toEqual(before);
});

test('at most 100,000 threats are ruled about; what is ruled may still be ruled otherwise', async () => {
  await perform('allow', ALSO_PUBLISHED);
  await execute(
    db,
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 99999)
      insert into feed_rulings select i, 'allowed', 0 from n`,
  );
  const { count } = readFeedRulings(db);
  for (const name of ['withdraw', 'allow'] as const) {
    expect(await perform(name, PUBLISHED)).toMatch(/^the limit of 100,000 rulings is reached/);
  }
  expect([await count(), await perform('withdraw', ALSO_PUBLISHED)]).toEqual([100_000, 'done']);
  expect(await perform('restore', ALSO_PUBLISHED)).toBe('done');
  expect([await perform('withdraw', PUBLISHED), await count()]).toEqual(['done', 100_000]);
});
