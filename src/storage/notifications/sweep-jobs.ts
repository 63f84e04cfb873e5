import { licenseState } from '../../domain/license/license.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { gapAfter, parsedGap, silentAt } from '../../domain/notification/silence.ts';
import { ALERT_OPEN_DAYS } from '../../domain/site/alerts.ts';
import { DAY_MS, iso } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import { readLicenses } from '../licenses/licenses.ts';
import { isSubscribed } from '../payments/subscribed.ts';
import { prepareAppend } from './append.ts';
import { prepareNoted } from './noted-states.ts';
import { prepareAlertEvents, prepareSiteNames } from './on-alerts.ts';
import type { SeenSite } from './sweep-reads.ts';
import { prepareSystemEvents, type SystemProblem } from './system-events.ts';

/** Days before the end of a license that make an event, as the end itself does. */
const EXPIRING_DAYS = [30, 7, 1] as const;
const SEVERITY_OF_DAYS = { 30: 'low', 7: 'medium', 1: 'high' } as const;
const LICENSES_MAX = 1_000;
const ALERTS_MAX = 500;

/** Records transitions caused by time alone, once: each job continues where the last one of its kind ended, on any node. */
export function sweepJobs(db: Database) {
  const { append } = prepareAppend(db);
  const { note, stateOf, drop } = prepareNoted(db);
  const { reportProblem, reportRecovery } = prepareSystemEvents(db);
  const siteOf = prepareSiteNames(db);
  const recordAlert = prepareAlertEvents(db);
  const licenses = readLicenses(db);
  const ending = prepare<{ id: number; expiresAt: number }>(
    db,
    `
    select id, expires_at as expiresAt from licenses
      where expires_at is not null and expires_at >= :after and expires_at <= :upTo
        and (expires_at > :after or id > :afterId)
      order by expires_at, id limit ${LICENSES_MAX}
    `,
  );
  const oldAlerts = prepare<{ key: string }>(
    db,
    `
    select key from noted_states where kind = 'alert' and noted_at <= ? order by noted_at limit ${ALERTS_MAX}
    `,
  );
  const licenseOf = prepare<{ licenseId: number }>(
    db,
    'select license_id as licenseId from sites where id = ?',
  );
  const lookAgain = prepare(
    db,
    "update noted_states set noted_at = :now where kind = 'alert' and key = :key",
  );
  const nodeProblems = prepare<{ key: string }>(
    db,
    "select key from noted_states where kind = 'system' and substr(key, 1, length(cast(:prefix as text))) = :prefix order by key",
  );

  /** Stores how far a kind was swept: up to a moment, or up to a license that ends at it. */
  const through = (key: string, reached: string, now: number) => note('sweep', key, reached, now);

  const recordEnds = async (days: 0 | (typeof EXPIRING_DAYS)[number], now: number): Promise<void> => {
    const key = `licenses ${days}`;
    const last = await stateOf('sweep', key);
    if (last === undefined) return void (await through(key, String(now), now));
    const [after = now, afterId = Number.MAX_SAFE_INTEGER] = last.split(' ').map(Number);
    const aheadMs = days * DAY_MS;
    const found = await ending.all({ after: Math.min(after, now) + aheadMs, afterId, upTo: now + aheadMs });
    for (const { id, expiresAt } of found) {
      const license = await licenses.find(id);
      // Another term may last longer, and a subscription is renewed.
      if (license === undefined || licenseState(license, expiresAt) !== 'expired') continue;
      if (days > 0 && (await isSubscribed(db, id))) continue;
      const data = { license: licenseName(id), expires_at: iso(expiresAt) };
      const common = { at: now, licenseId: id };
      await append([
        days === 0
          ? { ...common, type: 'license.expired', severity: 'high', data }
          : {
              ...common,
              type: 'license.expiring',
              severity: SEVERITY_OF_DAYS[days],
              data: { ...data, days },
            },
      ]);
    }
    const next = found.length < LICENSES_MAX ? undefined : found.at(-1);
    await through(key, next ? `${next.expiresAt - aheadMs} ${next.id}` : String(now), now);
  };

  const recordSite = async (
    type: 'site.silent' | 'site.back',
    site: SeenSite,
    now: number,
  ): Promise<void> => {
    const { id, licenseId, lastSeenAt } = site;
    const data = {
      license: licenseName(licenseId),
      ...(await siteOf(id)),
      last_seen_at: iso(lastSeenAt),
    };
    const severity = type === 'site.silent' ? 'medium' : 'info';
    await append([{ type, severity, at: now, licenseId, data }]);
  };

  return {
    /** Records licenses that have expired, or expire soon. */
    async sweepLicenses({ now }: { now: number }): Promise<void> {
      for (const days of [0, ...EXPIRING_DAYS] as const) await recordEnds(days, now);
    },

    /**
     * Records sites that have become silent since the last sweep, and those that report again.
     *
     * @param quiet sites that may have become silent
     * @param back sites stored as silent that are not
     * @param isLast whether no more sites of this sweep follow
     */
    async sweepSites({
      quiet,
      back,
      isLast,
      now,
    }: {
      quiet: readonly SeenSite[];
      back: readonly SeenSite[];
      isLast: boolean;
      now: number;
    }): Promise<void> {
      const sweptAt = Math.min(Number((await stateOf('sweep', 'sites')) ?? now), now);
      const gap = gapAfter(sweptAt, now, parsedGap(await stateOf('sweep', 'gap')));
      if (isLast) {
        await note('sweep', 'gap', JSON.stringify(gap), now);
        await through('sites', String(now), now);
      }
      for (const site of quiet) {
        const at = silentAt(site.lastSeenAt, site.silentAfterMs, gap);
        if (at <= sweptAt || at > now) continue;
        if (await note('site', String(site.id), 'silent', now)) await recordSite('site.silent', site, now);
      }
      for (const site of back)
        if ((await drop('site', String(site.id))) !== undefined) await recordSite('site.back', site, now);
    },

    /** Records alerts that have closed because they were not reported again. */
    async sweepAlerts({ now }: { now: number }): Promise<void> {
      for (const { key } of await oldAlerts.all(now - ALERT_OPEN_DAYS * DAY_MS)) {
        const siteId = Number(key.slice(0, key.indexOf(' ')));
        const subject = key.slice(key.indexOf(' ') + 1);
        const { licenseId = 0 } = (await licenseOf.get(siteId)) ?? {};
        await lookAgain.run({ now: now - (ALERT_OPEN_DAYS - 1) * DAY_MS, key });
        await recordAlert({ licenseId, siteId, subject }, now);
      }
    },

    /** Records the problems of one node, and which earlier ones are over. */
    async sweepSystem({
      prefix,
      problems,
      now,
    }: {
      /** The prefix of the keys of its problems. */
      prefix: string;
      problems: readonly SystemProblem[];
      now: number;
    }): Promise<void> {
      for (const problem of problems) await reportProblem({ ...problem, now });
      const present = new Set(problems.map(({ key }) => key));
      for (const { key } of await nodeProblems.all({ prefix }))
        if (!present.has(key)) await reportRecovery({ key, now });
    },
  };
}
