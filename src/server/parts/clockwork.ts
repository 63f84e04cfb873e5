import { systemAfter } from '../../lib/clock.ts';
import { Turns } from '../../lib/turns.ts';
import { VERSION } from '../../lib/version.ts';
import { createControlCheck } from '../../outside/control-check.ts';
import { createSiteSurvey } from '../../outside/site-survey.ts';
import { systemNetwork } from '../../outside/site-visit/network.ts';
import type { Parts } from '../../routes/parts.ts';
import { readDueChecks } from '../../storage/sites/domain-controls.ts';
import { startControlChecks } from '../../tasks/control-checks.ts';
import { startPayments } from '../../tasks/payments.ts';
import { startRetention } from '../../tasks/retention.ts';
import type { Closing, Input, OfClock, OfStore } from './needs.ts';

export function payments({
  store,
  clock,
  log,
  identities,
}: Parts<'clock' | 'identities' | 'log'> & OfStore<'clockWork' | 'db' | 'writer'>) {
  const { db, writer, clockWork } = store;
  const turns = new Turns();
  return async ({ config, offer, closing }: Input<'config' | 'offer'> & Closing) => {
    const payments = await startPayments({
      config,
      db,
      writer,
      clockWork,
      identities,
      offer,
      turns,
      clock,
      log,
    });
    closing.defer(payments.stop);
    return { payments, settlePayments: payments.wake };
  };
}

type RetentionLasting = Parts<'clock' | 'log'> &
  OfClock &
  OfStore<'clockWork' | 'retentionJobs' | 'room' | 'tidy' | 'truncateLog' | 'writer'>;

export const retention =
  ({ store, clock, log, isClockBehind }: RetentionLasting) =>
  ({ config, closing }: Input<'config'> & Closing) => {
    const { writer, clockWork, tidy, retentionJobs: jobs, room, truncateLog } = store;
    const { forget, stop } = startRetention({
      jobs,
      config,
      writer,
      clockWork,
      tidy,
      clock,
      log,
      isClockBehind,
      room,
      truncateLog,
    });
    closing.defer(stop);
    return { forget };
  };

type OutsideLasting = Parts<'clock' | 'identities' | 'log'> &
  OfClock &
  OfStore<'clockWork' | 'db' | 'writer'>;

/** Surface scans and domain checks, which connect to sites. */
export const outsideLooks =
  ({ store, clock, log, identities, isClockBehind }: OutsideLasting) =>
  ({ config, closing }: Input<'config'> & Closing) => {
    const { db, writer, clockWork } = store;
    const outside = {
      network: systemNetwork,
      allowPrivate: config.scanAllowPrivate,
      version: VERSION,
      now: clock.now,
    };
    const checkControl = createControlCheck({ ...outside, allowUntrusted: config.scanAllowPrivate });
    if (config.surfaceScans) {
      const parts = { clock, after: systemAfter, log, identities, writer, clockWork, isClockBehind };
      closing.defer(startControlChecks({ ...parts, readDue: readDueChecks(db), check: checkControl }));
    }
    return { checkControl, surveySite: createSiteSurvey(outside) };
  };
