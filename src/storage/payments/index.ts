import { TRIAL_RESERVED_MS } from '../../domain/license/trial.ts';
import { ahead, past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { checkoutJobs } from './checkouts.ts';
import { disputeJobs } from './disputes.ts';
import { operatorGrantJobs } from './operator-grants.ts';
import { paymentEventJobs } from './payment-events.ts';
import { subscriptionJobs } from './subscriptions.ts';
import * as tables from './tables.ts';
import { trialJobs } from './trials.ts';

export const payments = {
  tables,
  jobs: { checkoutJobs, disputeJobs, operatorGrantJobs, paymentEventJobs, subscriptionJobs, trialJobs },
  filledByStart: [tables.reconciliations],
  ownMoments: [
    ahead(tables.trials.licenseId, tables.trials.reservedUntil, TRIAL_RESERVED_MS),
    ...past(tables.trials.licenseId, tables.trials.confirmedAt),
    ...past(
      tables.subscriptions.licenseId,
      tables.subscriptions.createdAt,
      tables.subscriptions.pastDueSince,
      tables.subscriptions.keyShownAt,
    ),
    ...past(undefined, tables.paymentEvents.receivedAt, tables.paymentEvents.processedAt),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly payments: typeof payments;
  }
}
