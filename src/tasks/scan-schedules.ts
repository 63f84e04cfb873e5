import { controlState } from '../domain/domain-control/control.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { nextDueAt } from '../domain/scan/schedule.ts';
import { type After, type Clock, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { newOpaqueId } from '../lib/opaque-id.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { DueSchedule } from '../storage/scans/scan-schedules.ts';
import type { DomainControlReads } from '../storage/sites/domain-controls.ts';
import type { ScanDesk } from './scans.ts';

const EVERY_MS = MINUTE_MS;
/** Schedules per round. */
const DUE_MAX = 64;
/** Delay while the domain is not verified. The scan runs soon after it is verified again. */
const PAUSE_MS = HOUR_MS;
/** Delay after a refusal, such as by the daily limit, so that other schedules are not blocked. */
const POSTPONE_MS = 15 * MINUTE_MS;

export interface ScanScheduleParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  readonly tenantData: { readonly domainControls: DomainControlReads };
  readonly desk: Pick<ScanDesk, 'add'>;
  readonly readDue: (nowMs: number, limit: number) => Promise<DueSchedule[]>;
  /** Reads the current setting. */
  readonly dailyCap: () => number;
  /** Whether the clock is behind stored data. */
  readonly isClockBehind: () => boolean;
}

/**
 * Starts scans of due schedules. If several were missed, one scan runs. Schedules of unverified domains wait until the domain
 * is verified again.
 */
export function startScanSchedules(parts: ScanScheduleParts): () => void {
  const { clock, after, log, writer, clockWork, tenantData, desk, readDue, dailyCap, isClockBehind } = parts;
  let isStopped = false;

  /** @returns a refusal if the change could not be stored */
  const postpone = async (
    { licenseId, siteId }: DueSchedule,
    nextAt: number,
  ): Promise<Refusal | undefined> => {
    const refusal = await writer.write('postponeSchedule', { licenseId, siteId, nextAt });
    return isRefusal(refusal) ? refusal : undefined;
  };

  const runOne = async (due: DueSchedule): Promise<Refusal | undefined> => {
    const { licenseId, siteId, sitePublicId, domain, intervalHours, type } = due;
    const now = clock.now();
    const nextAt = nextDueAt(sitePublicId, intervalHours, now);
    const control = await tenantData.domainControls.find(licenseId, domain);
    if (controlState(control, now) !== 'verified') return postpone(due, now + PAUSE_MS);
    const wanted = {
      publicId: newOpaqueId(),
      licenseId,
      domain,
      siteUrl: `https://${domain}/`,
      type,
      trigger: 'schedule' as const,
      request: null,
      dailyCap: dailyCap(),
      now,
    };
    const scan = await writer.write('runSchedule', { siteId, nextAt, wanted });
    if (isRefusal(scan)) return postpone(due, now + POSTPONE_MS);
    desk.add(scan);
    return undefined;
  };

  const runDue = async () => {
    if (isClockBehind()) return;
    for (const due of await readDue(clock.now(), DUE_MAX)) {
      if (isStopped) return;
      const refusal = await runOne(due);
      if (refusal === undefined) continue;
      log.warn('scheduled scans wait until changes can be stored', { fault: refusal.message });
      return;
    }
  };

  const runInTurn = async () => {
    await clockWork.once('scan-schedules', lastDue(clock.now(), EVERY_MS), runDue);
  };
  const stop = every(EVERY_MS, after, runInTurn, (error) =>
    log.error('scheduled scans could not start', { fault: faultOf(error) }),
  );
  return () => {
    isStopped = true;
    stop();
  };
}
