import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { SiteEvent } from '../../domain/event/events.ts';
import type { DailyBudget } from '../../domain/license/daily-budget.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import { unregisteredSince } from '../../domain/site/unregistered-sites.ts';
import type { Database } from '../engine/database.ts';
import { orTogether } from '../engine/jobs/together.ts';
import { lazily } from '../engine/lazily.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import { licenseJobs } from '../licenses/license-jobs.ts';
import { licenseDomains } from '../licenses/tables.ts';
import { keepArrivals } from './arrivals.ts';
import { keepReported, type TelemetryReceipt } from './reported-events.ts';
import { keepRollups, type RemovedEvent } from './rollups.ts';
import { SITES_STORED_MAX } from './sites.ts';
import { sites } from './tables.ts';

/** The validated and normalized content of one telemetry request. */
export interface TelemetryBatch {
  readonly licenseId: number;
  /** Normalised domain of the reporting site. */
  readonly domain: string;
  /** Set when a heartbeat may register this domain for the license. */
  readonly claim: { readonly sitesAllowed: number } | null;
  /** Set when this domain needs no registration: how many such sites the license may have. */
  readonly unregisteredAllowed: number | null;
  readonly siteUuid: string | null;
  /** Of a heartbeat; null keeps the known one. */
  readonly pluginVersion: string | null;
  readonly stats: Readonly<Record<string, unknown>> | null;
  readonly events: readonly SiteEvent[];
  readonly budget: DailyBudget;
  readonly receivedAt: number;
}

const NOTHING_NEW: TelemetryReceipt = { accepted: 0, duplicate: 0 };
const RETENTION_CHUNK_EVENTS = 5_000;

export function telemetryJobs(db: Database) {
  const { claimDomain } = licenseJobs(db);
  const { oldestArrivals, dropArrival } = keepArrivals(db);
  const { openSummary, uncountEvents } = keepRollups(db);
  const larger = sql.raw(db.sqlDialect.larger);
  const siteCount = lazily(() =>
    db
      .select({ count: sql<number>`count(*)` })
      .from(sites)
      .where(eq(sites.licenseId, sql.placeholder('licenseId')))
      .prepare(),
  );
  const unregisteredCount = lazily(() =>
    db
      .select({ count: sql<number>`count(*)` })
      .from(sites)
      .leftJoin(
        licenseDomains,
        and(eq(licenseDomains.licenseId, sites.licenseId), eq(licenseDomains.domain, sites.domain)),
      )
      .where(
        and(
          eq(sites.licenseId, sql.placeholder('licenseId')),
          gt(sites.lastSeenAt, sql.placeholder('since')),
          isNull(licenseDomains.domain),
        ),
      )
      .prepare(),
  );
  const isUnregisteredFull = async ({
    licenseId,
    unregisteredAllowed,
    receivedAt,
  }: TelemetryBatch): Promise<boolean> => {
    if (unregisteredAllowed === null) return false;
    const counted = await unregisteredCount.get({ licenseId, since: unregisteredSince(receivedAt) });
    return (counted?.count ?? 0) >= unregisteredAllowed;
  };
  const addSite = lazily(() =>
    db
      .insert(sites)
      .values({
        licenseId: sql.placeholder('licenseId'),
        domain: sql.placeholder('domain'),
        firstSeenAt: sql.placeholder('receivedAt'),
        lastSeenAt: sql.placeholder('receivedAt'),
        siteUuid: sql.placeholder('siteUuid'),
        pluginVersion: sql.placeholder('pluginVersion'),
        stats: sql`${sql.placeholder('stats')}`,
      })
      .returning({ id: sites.id })
      .prepare(),
  );
  const seeSite = lazily(() =>
    db
      .update(sites)
      .set({
        lastSeenAt: sql`${larger}(${sites.lastSeenAt}, ${sql.placeholder('receivedAt')})`,
        siteUuid: sql`coalesce(${sql.placeholder('siteUuid')}, ${sites.siteUuid})`,
        pluginVersion: sql`coalesce(${sql.placeholder('pluginVersion')}, ${sites.pluginVersion})`,
        stats: sql`coalesce(${sql.placeholder('stats')}, ${sites.stats})`,
      })
      .where(
        and(eq(sites.licenseId, sql.placeholder('licenseId')), eq(sites.domain, sql.placeholder('domain'))),
      )
      .returning({ id: sites.id })
      .prepare(),
  );
  const addReported = keepReported(db);
  const removeEvents = prepare<RemovedEvent>(
    db,
    `
    delete from events where id between :firstEventId and :lastEventId
      returning license_id as licenseId, site_id as siteId, occurred_at as occurredAt, severity
    `,
  );

  const record = async (batch: TelemetryBatch): Promise<TelemetryReceipt | Refusal> => {
    const { licenseId, domain, receivedAt } = batch;
    if (batch.claim) {
      const refusal = await claimDomain({ licenseId, domain, now: receivedAt, ...batch.claim });
      if (refusal) return refusal;
    }
    const seen = seenOf(batch);
    let siteId = (await seeSite.get(seen))?.id;
    if (siteId === undefined) {
      if (((await siteCount.get({ licenseId }))?.count ?? 0) >= SITES_STORED_MAX) {
        return refuse('SITE_LIMIT_REACHED', 'This license already reports from too many sites.');
      }
      if (await isUnregisteredFull(batch)) {
        const most = `at most ${batch.unregisteredAllowed} development hosts and other unregistered sites`;
        return refuse('SITE_LIMIT_REACHED', `This license can report from ${most}.`);
      }
      siteId = (await addSite.get(seen)).id;
      await openSummary(licenseId, siteId);
    }
    const receipts = await addReported([{ siteId, batch }]);
    return isRefusal(receipts) ? receipts : (receipts[0] ?? NOTHING_NEW);
  };

  /** In fewer statements, as long as their sites are known and their budgets suffice. */
  const recordTogether = async (batches: readonly TelemetryBatch[]) => {
    const bySite = Map.groupBy(
      batches.filter(({ claim }) => claim === null),
      ({ licenseId, domain }) => `${licenseId} ${domain}`,
    );
    const known = await Promise.all(
      [...bySite.values()].map(async (ofSite) => {
        const [first] = ofSite;
        const siteId = first && (await seeSite.get(seenOf(first, ofSite)))?.id;
        return siteId === undefined ? [] : ofSite.map((batch) => [batch, siteId] as const);
      }),
    );
    const siteOf = new Map(known.flat());
    // In the order of arrival.
    const reported = batches.flatMap((batch) => {
      const siteId = siteOf.get(batch);
      return siteId === undefined ? [] : { siteId, batch };
    });
    const receipts = await addReported(reported);
    if (isRefusal(receipts)) return receipts;
    const receiptOf = new Map(reported.map(({ batch }, index) => [batch, receipts[index]]));
    return batches.map((batch) => receiptOf.get(batch));
  };

  return {
    recordTelemetry: orTogether(record, recordTogether),

    /** Corrects sites that were last seen later than now, by a clock that ran ahead. */
    correctLastSeen: ofRetention(
      ({ now }) => ({ now }),
      async ({ now }: { now: number }): Promise<void> => {
        await db.update(sites).set({ lastSeenAt: now }).where(gt(sites.lastSeenAt, now)).run();
      },
    ),

    /**
     * Deletes the oldest events received before a moment, a bounded number at a time. By arrival, not by id: events of a clock
     * that ran ahead would block the others.
     *
     * @returns how many; 0 = none left
     */
    forgetEvents: ofRetention(
      (terms) => ({ receivedBefore: retainedFrom(terms) }),
      async ({ receivedBefore }: { receivedBefore: number }): Promise<number> => {
        const forgotten: RemovedEvent[] = [];
        for (const arrival of await oldestArrivals(receivedBefore, RETENTION_CHUNK_EVENTS)) {
          forgotten.push(...(await removeEvents.all({ ...arrival })));
          await dropArrival(arrival);
        }
        await uncountEvents(forgotten);
        return forgotten.length;
      },
    ),
  };
}

/** The site's data in one request, or in several of the same site: the last one applies. */
function seenOf(first: TelemetryBatch, batches: readonly TelemetryBatch[] = [first]) {
  const lastOf = <Name extends 'siteUuid' | 'pluginVersion' | 'stats'>(name: Name) =>
    batches.findLast((batch) => batch[name] !== null)?.[name] ?? null;
  const { licenseId, domain } = first;
  const stats = lastOf('stats');
  return {
    licenseId,
    domain,
    siteUuid: lastOf('siteUuid'),
    pluginVersion: lastOf('pluginVersion'),
    receivedAt: Math.max(...batches.map(({ receivedAt }) => receivedAt)),
    stats: stats === null ? null : JSON.stringify(stats),
  };
}
