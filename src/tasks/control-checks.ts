import { challengeFor } from '../domain/domain-control/challenge.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import { isRefusal } from '../domain/refusal.ts';
import { type After, type Clock, HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { every } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { CheckControl } from '../outside/control-check.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { DueCheck } from '../storage/sites/domain-controls.ts';

const EVERY_MS = 5 * MINUTE_MS;
/** Checks per round. A thousand domains, each checked every 24 hours, need only a handful every five minutes. */
const CHECKS_MAX = 400;
const LANES = 4;

export interface ControlCheckParts {
  readonly clock: Clock;
  readonly after: After;
  readonly log: Log;
  readonly identities: Pick<DerivedIdentities, 'controlToken'>;
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  readonly readDue: (nowMs: number, limit: number) => Promise<DueCheck[]>;
  readonly check: CheckControl;
  /** Whether the clock is behind stored data. */
  readonly isClockBehind: () => boolean;
}

/**
 * Checks once a day whether licenses still control their verified domains. If this host's own network prevents a check, it
 * does not count against the license and is postponed by an hour, so that others can run.
 *
 * @returns a function that stops the checks; interrupted ones become due again
 */
export function startControlChecks(parts: ControlCheckParts): () => void {
  const { clock, after, log, identities, writer, clockWork, readDue, check, isClockBehind } = parts;
  let isStopped = false;

  const postpone = async (licenseId: number, domain: string): Promise<void> => {
    const refusal = await writer.write('putOffControlCheck', {
      licenseId,
      domain,
      nextAt: clock.now() + HOUR_MS,
    });
    if (isRefusal(refusal)) log.warn('a domain check could not be postponed', { fault: refusal.message });
  };

  const checkOne = async ({ licenseId, domain, control: { method } }: DueCheck) => {
    if (method === 'operator') return;
    const challenge = challengeFor(domain, identities.controlToken(licenseId, domain));
    const problem = await check({ domain, challenge, method });
    if (isStopped) return;
    if (problem === 'cut_off') return postpone(licenseId, domain);
    const result = { method, problem, checkedAt: clock.now() };
    const outcome = await writer.write('recordControlCheck', { licenseId, domain, result });
    // If the domain was released in the meantime, there is nothing to store.
    if (isRefusal(outcome) && outcome.refused !== 'DOMAIN_MISMATCH')
      log.warn('the result of a domain check could not be stored; the check will run again', {
        fault: outcome.message,
      });
  };

  const checkDue = async () => {
    if (isClockBehind()) return;
    const due = await readDue(clock.now(), CHECKS_MAX);
    const runLane = async () => {
      for (let next = due.shift(); next && !isStopped; next = due.shift()) await checkOne(next);
    };
    await Promise.all(Array.from({ length: LANES }, runLane));
  };

  const checkInTurn = async () => {
    await clockWork.once('control-checks', lastDue(clock.now(), EVERY_MS), checkDue);
  };
  const stop = every(EVERY_MS, after, checkInTurn, (error) =>
    log.error('domain checks could not run', { fault: faultOf(error) }),
  );
  return () => {
    isStopped = true;
    stop();
  };
}
