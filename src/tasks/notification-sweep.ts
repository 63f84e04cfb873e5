import { hostname } from 'node:os';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Severity } from '../domain/severity.ts';
import { type After, type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import { isAway } from '../storage/engine/database.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { SeenSite, SweepReads } from '../storage/notifications/sweep-reads.ts';
import type { SystemProblem } from '../storage/notifications/system-events.ts';

export interface SweepParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  readonly reads: SweepReads;
  readonly health: {
    problems(): readonly string[];
    warnings(): Promise<readonly string[]>;
  };
  /** Reads the current setting. */
  readonly requestsPerMinute: () => number;
  /** Whether the clock is behind stored data. */
  readonly isClockBehind: () => boolean;
  /** Whether this is the only node. Several nodes each report their own problems. */
  readonly isAlone: boolean;
}

const EVERY_MS = MINUTE_MS;
/** Delay after a start, so that overdue work is not reported as a problem. */
const FIRST_MS = 5 * SECOND_MS;
/** Sites per transaction, so that an outage of many sites does not delay other changes. */
const SITES_PER_WRITE = 500;
/** Failed sign-ins per hour that indicate password guessing. */
const FAILED_SIGN_INS_MIN = 20;

/**
 * Records events caused by the passage of time, shortly after the start and every minute. One node does this for all, except
 * that each node records its own problems. If there are no targets, it does nothing.
 */
export function startNotificationSweep(parts: SweepParts): () => void {
  const { clock, after, log, writer, clockWork, reads, health, requestsPerMinute, isClockBehind, isAlone } =
    parts;
  const node = isAlone ? '' : hostname();
  const prefix = `node:${node} `;
  let isFailing = false;

  const sweepSites = async (now: number): Promise<Refusal | undefined> => {
    const swept = await reads.sweptSites();
    const quietTimes = await reads.quietTimes(requestsPerMinute());
    const longest = [...quietTimes.values()].reduce((most, each) => Math.max(most, each), 0);
    const shortest = [...quietTimes.values()].reduce((least, each) => Math.min(least, each), longest);
    const withTime = (site: Omit<SeenSite, 'silentAfterMs'>): SeenSite => ({
      ...site,
      silentAfterMs: quietTimes.get(site.licenseId) ?? longest,
    });
    const { at = now, gap } = swept ?? {};
    const isGapRelevant = gap !== undefined && gap.to + longest >= at;
    const from = (isGapRelevant ? Math.min(at, gap.from) : at) - longest;
    const found = await reads.seenWithin({ after: from, upTo: now - shortest });
    const noted = await reads.notedSilent(now - longest);
    const isSilent = (site: SeenSite) => site.lastSeenAt + site.silentAfterMs <= now;
    const quiet = found.map(withTime).filter(isSilent);
    const back = noted.map(withTime).filter((site) => !isSilent(site));
    const last = Math.max(quiet.length, back.length, 1) - 1;
    for (let from = 0; from <= last; from += SITES_PER_WRITE) {
      const until = from + SITES_PER_WRITE;
      const some = { quiet: quiet.slice(from, until), back: back.slice(from, until) };
      const refusal = refusalOf(await writer.write('sweepSites', { ...some, isLast: until > last, now }));
      if (refusal) return refusal;
    }
    return undefined;
  };

  const sweepShared = async (): Promise<void> => {
    const now = clock.now();
    const refusal =
      refusalOf(await writer.write('sweepLicenses', { now })) ??
      (await sweepSites(now)) ??
      refusalOf(await writer.write('sweepAlerts', { now }));
    if (refusal)
      log.warn('scheduled notifications wait until changes can be stored', { fault: refusal.message });
  };

  let reported: string | undefined;
  const sweepSystem = async (): Promise<void> => {
    const now = clock.now();
    const problems = [
      ...health.problems().map(problemOf('high')),
      ...[...(await health.warnings()), ...(await signInWarnings(now))].map(problemOf('medium')),
    ].map(({ key, problem, severity }) => ({
      key: prefix + key,
      severity,
      problem: isAlone ? problem : `${problem} (node ${node})`,
    }));
    const keys = problems.map(({ key }) => key).join('\n');
    if (keys === reported) return;
    if (!isRefusal(await writer.write('sweepSystem', { prefix, problems, now }))) reported = keys;
  };

  const signInWarnings = async (now: number): Promise<string[]> => {
    const tries = await reads.failedSignIns(now - HOUR_MS);
    return tries < FAILED_SIGN_INS_MIN ? [] : [`${tries} failed sign-ins within an hour`];
  };

  const sweep = async (): Promise<void> => {
    if (!(await reads.isAnyTarget())) {
      reported = undefined;
      return;
    }
    await sweepSystem();
    if (!isClockBehind()) await clockWork.once('notifications', lastDue(clock.now(), EVERY_MS), sweepShared);
    isFailing = false;
  };
  const onFault = (error: unknown): void => {
    if (!isFailing && !isAway(error))
      log.error('scheduled notifications are late', { fault: faultOf(error) });
    isFailing = true;
  };
  const cancelFirst = after(FIRST_MS, () => void sweep().catch(onFault));
  const stop = every(EVERY_MS, after, sweep, onFault);
  return () => {
    cancelFirst();
    stop();
  };
}

const refusalOf = (outcome: unknown): Refusal | undefined => (isRefusal(outcome) ? outcome : undefined);

/** The key ignores numbers, which may change between sweeps, such as the days until a certificate expires. */
const problemOf =
  (severity: Severity) =>
  (problem: string): SystemProblem => ({ key: problem.replace(/[0-9][0-9.,:-]*/g, '#'), problem, severity });
