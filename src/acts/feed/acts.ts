import type { FeedRuling } from '../../domain/threat/feed-ruling.ts';
import { EXAMPLE_FINGERPRINT } from '../../domain/threat/fingerprint.ts';
import { allowThreat, restoreThreat, withdrawThreat } from '../../operator/rule-on-threat.ts';
import { type ActWords, actsOn } from '../act.ts';
import { flag } from '../field.ts';

const rulingAct = actsOn<string>();

const fields = {
  rebuild: flag({
    about: 'true: rebuild the feed now instead of at the next epoch',
    flags: '--rebuild',
    help: 'rebuild the feed now instead of at the next epoch',
    label: 'Rebuild the feed now instead of at the next epoch',
  }),
};

const API = {
  body: 'RulingRequest',
  example: { fingerprint: EXAMPLE_FINGERPRINT, reason: 'our own scanner' },
};

// A ruling takes effect at the next epoch.

export const withdraw = rulingAct({
  verb: 'withdraw',
  title: 'Withdraw an entry from the feed',
  submit: 'Withdraw',
  about: 'Removes it from the feed until it is restored, even if it is reported again.',
  done: 'is withdrawn from the feed until it is restored',
  fields,
  isReasonRequired: true,
  api: {
    operationId: 'withdrawThreat',
    summary: 'Withdraw an entry from the feed',
    description: 'Until it is restored, even if it is reported again.',
    ...API,
  },
  command: { example: '--rebuild --reason "a false positive"' },
  forms: [{}],
  plan: (fingerprint, _, by, { db }) => withdrawThreat(db, fingerprint, by),
});

export const allow = rulingAct({
  verb: 'allow',
  title: 'Never publish a threat',
  submit: 'Never publish',
  about: 'Excludes it from the feed until it is restored, reported or not.',
  done: 'is never published until it is restored',
  fields,
  isReasonRequired: true,
  api: {
    operationId: 'allowThreat',
    summary: 'Allow a threat',
    description: 'Excludes it from the feed, reported or not: for example your own scanner.',
    ...API,
  },
  command: { about: 'exclude a threat from the feed, reported or not' },
  forms: [{}],
  plan: (fingerprint, _, by, { db }) => allowThreat(db, fingerprint, by),
});

export const restore = rulingAct({
  verb: 'restore',
  title: 'Restore a threat',
  submit: 'Restore',
  about: 'Customer reports decide again whether it is in the feed.',
  done: 'is in the feed while enough customers report it',
  fields,
  isReasonRequired: true,
  api: {
    operationId: 'restoreThreat',
    summary: 'Restore a threat',
    description:
      'After a withdrawal or an allowance, customer reports decide again whether it is in the feed.',
    ...API,
  },
  command: { about: 'undo withdraw or allow', example: '--reason "it was an attack"' },
  forms: [{}],
  plan: (fingerprint, _, by, { db }) => restoreThreat(db, fingerprint, by),
});

export const RULINGS = [withdraw, allow, restore];

/** The ruling that each act sets; null = publication depends on the reports. */
export const RULED: Readonly<Record<string, FeedRuling | null>> = {
  withdraw: 'withdrawn',
  allow: 'allowed',
  restore: null,
};

/** Planned by the feed desk, because counting the reports is slow. */
export const rebuild: ActWords = {
  verb: 'rebuild',
  title: 'Rebuild the feed',
  about: 'Starts a new epoch now if anything has changed.',
  fields: {},
  api: {
    operationId: 'rebuildFeed',
    summary: 'Rebuild the feed now',
    description: 'If anything has changed.',
    body: 'Rebuilding',
    example: { reason: 'after a report was withdrawn' },
  },
  forms: [{}],
};
