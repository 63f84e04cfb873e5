import { isDeepStrictEqual } from 'node:util';
import { type Hold, withHold } from '../domain/license/license.ts';
import { capitalized } from '../lib/capitalized.ts';
import { volume, whole } from '../pages/html.tsx';
import { worded } from '../pages/identifier-words.ts';
import { dateOf, exactTime } from '../pages/time.tsx';
import { type AuditEntry, type AuditedFacts, FORGOTTEN } from '../storage/operators/audit.ts';
import { HOLD_WORDS } from './license/words.ts';

type Entry = Pick<AuditEntry, 'action'> & {
  readonly before?: AuditedFacts | null | undefined;
  readonly after?: AuditedFacts | null | undefined;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

interface Fact {
  readonly name: string;
  /** The text for null. */
  readonly none?: string;
  words(value: unknown): string;
}

const plain = (name: string, none?: string): Fact => ({
  name,
  ...(none === undefined ? {} : { none }),
  words: (value) => (typeof value === 'number' ? whole(value) : text(value)),
});
const modules = (name: string): Fact => ({
  name,
  none: 'none',
  words: (value) => list(value).map(worded).join(', '),
});

/** Facts of a license that acts can change, in the order in which they are shown. */
const FACTS: Readonly<Record<string, Fact>> = {
  plan: { name: 'Plan', words: (value) => capitalized(text(value)) },
  sitesOverride: plain('Site limit', "the plan's"),
  expiresAt: {
    name: 'End',
    none: 'never',
    words: (value) => dateOf(number(value) ?? 0),
  },
  dailyEventsOverride: plain('Daily events', "the plan's"),
  dailyBytesOverride: {
    name: 'Daily volume',
    none: "the plan's",
    words: (value) => volume(number(value) ?? 0),
  },
  modulesAllowed: modules('Added modules'),
  modulesDenied: modules('Removed modules'),
  customer: plain('Customer'),
  email: plain('E-mail'),
  externalId: plain('Id in your own system'),
  note: plain('Note'),
};

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function changeWords({ name, none, words }: Fact, was: unknown, is: unknown): string {
  if (was === FORGOTTEN || is === FORGOTTEN) return `${name} deleted`;
  const shown = (value: unknown) => (isNothing(value) ? none : words(value));
  const [old, now] = [shown(was), shown(is)];
  if (now === undefined) return `${name} removed`;
  return old === undefined ? `${name} set to ${now}` : `${name} changed from ${old} to ${now}`;
}

const changesOf = ({ before, after }: Entry): string[] =>
  Object.entries(FACTS).flatMap(([key, fact]) =>
    after && key in after && (after[key] === FORGOTTEN || !isDeepStrictEqual(before?.[key], after[key]))
      ? changeWords(fact, before?.[key], after[key])
      : [],
  );

const changesIn = (entry: Entry): string => changesOf(entry).join('; ') || 'Changed';

const heldBy = (facts: AuditedFacts | null | undefined): readonly Hold[] => {
  const named = [...list(facts?.holds), ...list(facts?.paymentHolds)];
  return (Object.keys(HOLD_WORDS) as Hold[]).filter((hold) => named.includes(hold));
};

/** Returns the suspension reasons in `more` that are not in `less`. */
const holdWords = (more: readonly Hold[], less: readonly Hold[]): string =>
  less
    .reduce<Hold[]>((left, hold) => withHold(left, hold, false), [...more])
    .map((hold) => HOLD_WORDS[hold])
    .join(', ');

const because = (lead: string, why: string): string => (why === '' ? lead : `${lead} (${why})`);

const SENTENCES: Readonly<Record<string, (entry: Entry) => string>> = {
  'license.issue': ({ after }) =>
    because('License issued', text(after?.plan) && `plan ${capitalized(text(after?.plan))}`),
  'license.import': () => 'License imported',
  'license.export': () => 'License exported',
  'license.change': changesIn,
  'license.payment': (entry) => {
    const [was, is] = [heldBy(entry.before), heldBy(entry.after)];
    const [set, lifted] = [holdWords(is, was), holdWords(was, is)];
    const changes = [
      ...(set === '' ? [] : [because('Suspended', set)]),
      ...(lifted === '' ? [] : [because('Resumed', lifted)]),
      ...changesOf(entry),
    ];
    return changes.length === 0 ? 'Payment processed' : changes.join('; ');
  },
  'license.prolong': changesIn,
  'license.extend': ({ after }) => `Extended to ${dateOf(number(after?.expiresAt) ?? 0)}`,
  'license.suspend': ({ before, after }) => because('Suspended', holdWords(heldBy(after), heldBy(before))),
  'license.resume': ({ before, after }) => because('Resumed', holdWords(heldBy(before), heldBy(after))),
  'license.dispute': ({ before, after }) =>
    heldBy(after).length >= heldBy(before).length
      ? 'Suspended (disputed payment)'
      : 'Resumed (disputed payment)',
  'license.rotate': ({ after }) => {
    const until = number(after?.oldKeyWorksUntil);
    return until === undefined
      ? 'Key rotated; the previous key stopped'
      : `Key rotated; the previous key works until ${exactTime(until)}`;
  },
  'license.revoke': () => 'License revoked',
  'license.reveal': () => 'Key shown to the customer',
  'license.forget': () => 'Customer deleted',
  'license.bind': ({ after }) => `${text(after?.domain)} registered`,
  'license.unbind': ({ before }) => `${text(before?.domain)} released`,
  'license.block': ({ after }) => `${text(after?.blockedDomain)} blocked`,
  'license.unblock': ({ before }) => `${text(before?.blockedDomain)} unblocked`,
  'license.verify-domain': ({ after }) =>
    after?.control === 'operator'
      ? `Control of ${text(after.domain)} attested`
      : `Attestation for ${text(after?.domain)} withdrawn`,
  'trial.confirm': () => 'Trial confirmed',
  'trial.release': () => 'Trial released',
  'alert.acknowledge': () => 'Alert acknowledged',
  'alert.unacknowledge': () => 'Acknowledgement of an alert withdrawn',
};

/** Formats an audit entry as a sentence without the full stop. */
export const historyWords = (entry: Entry): string =>
  SENTENCES[entry.action]?.(entry) ?? worded(entry.action.replaceAll('.', '-'));

const KINDS: Readonly<Record<string, string>> = {
  cli: 'command line',
  token: 'API token',
  tenant: 'portal',
};

/** Formats an actor of the audit log, such as `alice` or `shop (API token)`. */
export function actorWords(actor: string): string {
  if (actor === 'stripe') return 'Stripe';
  if (actor === 'system') return 'Redoubt';
  const [kind = '', ...rest] = actor.split(':');
  const name = rest.join(':');
  return kind in KINDS ? `${name} (${KINDS[kind]})` : name || actor;
}
