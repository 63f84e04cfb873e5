/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { Explanation } from '../../operator/explain-license.ts';
import { worded } from '../../pages/identifier-words.ts';
import { addressOf } from '../../pages/query.ts';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import type { KeptAuditEntry } from '../../storage/operators/audit.ts';
import { actorWords, historyWords } from '../history-words.ts';
import { PLACES } from '../places.ts';
import type { RefusedNow } from './refused.ts';
import { WORDS } from './words.ts';

/** An event in the history of a license. */
export interface Happening {
  readonly at: number;
  readonly sentence: string;
  /** Actor and reason, or the number of times. */
  readonly more: string;
}

export const happeningOf = ({ at, actor, reason, ...entry }: KeptAuditEntry): Happening => ({
  at,
  sentence: historyWords(entry),
  more: `${WORDS.by(actorWords(actor))}${reason === null ? '' : `: ${reason}`}`,
});

const PREFIX = /^\/api\/v\d+\//;
const routeWords = (route: string): string => worded(route.replace(PREFIX, '').replaceAll(/:\w+/g, ''));

/** Merges acts and refusals of a license into one history, newest first. */
export function happeningsOf(
  { refusals }: Pick<Explanation, 'refusals'>,
  refused: readonly RefusedNow[],
  entries: readonly KeptAuditEntry[],
): Happening[] {
  return [
    ...entries.map(happeningOf),
    ...refused.map(({ domain, reason, count, lastAt }) => ({
      at: lastAt,
      sentence: WORDS.checkRefused(domain, reason),
      more: WORDS.times(count),
    })),
    ...refusals.map(({ at, route, code }) => ({
      at,
      sentence: WORDS.requestRefused(routeWords(route), worded(code.toLowerCase()).toLowerCase()),
      more: '',
    })),
  ].sort((one, other) => other.at - one.at);
}

/** The history as a table. */
export const Happenings = ({ label, of }: { readonly label: string; readonly of: readonly Happening[] }) => (
  <Table
    label={label}
    columns={WORDS.activityColumns}
    head={-1}
    rows={of.map(({ at, sentence, more }) => [<Time at={at} />, sentence, <span class="quiet">{more}</span>])}
    none={<p class="quiet">{WORDS.noActivity}</p>}
  />
);

/** The tab with the complete history. */
export const ActivityTab = (props: {
  readonly name: string;
  readonly happenings: readonly Happening[];
  readonly maySee: boolean;
}) => (
  <Fragment>
    <section class="card">
      <Happenings label={WORDS.activity} of={props.happenings} />
    </section>
    {props.maySee ? (
      <p>
        <a href={addressOf(PLACES.audit.path, { subject: props.name })}>{WORDS.auditLog}</a>
      </p>
    ) : null}
  </Fragment>
);
