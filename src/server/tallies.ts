import type { NoteAnswer } from '../http/access-log.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { type Clock, systemAfter } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { startEventCounts } from '../tasks/event-counts.ts';
import { type FleetDayParts, startFleetDays } from '../tasks/fleet-days.ts';
import { startLicenseActivity } from '../tasks/license-activity.ts';
import { startLicenseChecks } from '../tasks/license-checks.ts';
import { startRefusedDomains } from '../tasks/refused-domains.ts';
import { startTokenUses } from '../tasks/token-uses.ts';

interface TallyParts extends Omit<FleetDayParts, 'after'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly writer: Writer;
}

/** Starts everything that counts in memory and stores its counts every few seconds. */
export function startTallies(closing: AsyncDisposableStack, parts: TallyParts) {
  const common = { ...parts, after: systemAfter };
  const started = <Task extends { stop(): Promise<void> }>(task: Task): Task =>
    closing.adopt(task, ({ stop }) => stop());

  const requestMetrics = new RequestMetrics();
  const activity = started(startLicenseActivity(common));
  const refusedDomains = started(startRefusedDomains(common));
  started(startLicenseChecks({ ...common, answered: requestMetrics.verifications }));
  closing.defer(startFleetDays(common));
  const noteAnswer: NoteAnswer = (answer) => {
    activity.note(answer);
    refusedDomains.note(answer);
  };

  return {
    requestMetrics,
    noteAnswer,
    countEvents: started(startEventCounts(common)).countEvents,
    noteTokenUse: started(startTokenUses(common)).note,
  };
}
