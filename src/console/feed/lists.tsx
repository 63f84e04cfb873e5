/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { allow, withdraw } from '../../acts/feed/acts.ts';
import { ATTACK_TYPES, type AttackType } from '../../domain/threat/attack-type.ts';
import type { FeedEntry, FeedSnapshot } from '../../domain/threat/feed.ts';
import { REASON_CHARACTERS_MAX } from '../../operator/act.ts';
import { SeverityBadge } from '../../pages/badges.tsx';
import { Choice, Field, FilterBar } from '../../pages/form.tsx';
import { whole } from '../../pages/html.tsx';
import { worded } from '../../pages/identifier-words.ts';
import { addressOf } from '../../pages/query.ts';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import { WORDS as SHARED } from '../../pages/words.ts';
import type { KeptAuditEntry } from '../../storage/operators/audit.ts';
import type { KeptRuling } from '../../storage/threats/feed-rulings.ts';
import type { ThreatSummary } from '../../storage/threats/threat-reports.ts';
import { actorWords } from '../history-words.ts';
import { PLACES } from '../places.ts';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.feed;

/** A ruling with its entry in the audit log, if the operator may see that. */
export interface ListedRuling extends KeptRuling {
  readonly entry: KeptAuditEntry | undefined;
  /** Undefined if unknown: not reported, and not in the feed recently. */
  readonly attack: AttackType | undefined;
}

/** The state of the feed in one line. */
export const State = ({
  isShared,
  snapshot,
  count,
  verifiedAt,
}: {
  readonly isShared: boolean;
  readonly snapshot: FeedSnapshot | undefined;
  readonly count: number;
  readonly verifiedAt: number;
}) => (
  <span>
    {isShared ? WORDS.shared : WORDS.notShared}
    {snapshot === undefined ? (
      ` · ${WORDS.none}`
    ) : (
      <Fragment>
        {` · ${WORDS.count(count)} · ${WORDS.made} `}
        <Time at={snapshot.generatedAt} />
        {` · ${WORDS.right} `}
        <Time at={verifiedAt} />
      </Fragment>
    )}
  </span>
);

export const FindForm = (props: {
  readonly find: string | undefined;
  readonly attack: string | undefined;
}) => (
  <FilterBar action={PATH}>
    <Choice
      label={WORDS.attack}
      name="attack"
      value={props.attack}
      of={ATTACK_TYPES.map((type) => [type, worded(type)] as const)}
      none={SHARED.none}
    />
    <Field label={WORDS.find} name="find" value={props.find} max={43} />
  </FilterBar>
);

/** Returns the path of a threat's page. */
export const threatPath = (fingerprint: string): string =>
  `${PATH}/threats/${encodeURIComponent(fingerprint)}`;

interface NamedThreat {
  readonly fingerprint: string;
  /** Undefined = only the fingerprint is known. */
  readonly attack: AttackType | undefined;
}

const Threat = ({ fingerprint, attack }: NamedThreat) => (
  <th scope="row">
    <a href={threatPath(fingerprint)} title={fingerprint}>
      {attack === undefined ? WORDS.unknown : worded(attack)}
    </a>
  </th>
);

const DECISION = 'decide';

/** The field for the reason, which the buttons of all rows submit. */
const DecisionForm = () => (
  <form method="post" action={`${PATH}/${withdraw.verb}`} class="filters" id={DECISION}>
    <label>
      {WORDS.reason}
      <input
        name="reason"
        placeholder={WORDS.reasonHint}
        maxlength={REASON_CHARACTERS_MAX}
        autocomplete="off"
        required
      />
    </label>
    <p class="quiet">{WORDS.decides}</p>
  </form>
);

/** Buttons of a row that withdraw an entry, or never publish it again. */
const RowActs = ({ fingerprint, name }: { readonly fingerprint: string; readonly name: string }) => (
  <span class="acts">
    {[
      [withdraw.verb, withdraw.submit],
      [allow.verb, allow.submit],
    ].map(([verb, words]) => (
      <button
        type="submit"
        class="quiet"
        form={DECISION}
        name="fingerprint"
        value={fingerprint}
        formaction={`${PATH}/${verb}`}
        aria-label={`${words}: ${name}`}
      >
        {words}
      </button>
    ))}
  </span>
);

/** An entry with facts about its reports, without the reporters. */
export interface ListedEntry extends FeedEntry {
  readonly summary: ThreatSummary;
  /** Trusted installations that report it as well. */
  readonly origins: readonly string[];
  /** Time at which it leaves the feed unless it is reported again; undefined without reports. */
  readonly leavesAt: number | undefined;
}

const Moment = ({ at }: { readonly at: number | null | undefined }) =>
  at === null || at === undefined ? <Fragment>–</Fragment> : <Time at={at} />;

/** Entries of the feed with the number of customers that report each, but not which. */
export const Entries = (props: { readonly entries: readonly ListedEntry[]; readonly mayAct: boolean }) => {
  const hasOrigins = props.entries.some(({ origins }) => origins.length > 0);
  return (
    <section>
      <h2>{WORDS.entries}</h2>
      {props.mayAct && props.entries.length > 0 ? <DecisionForm /> : null}
      <Table
        label={WORDS.entries}
        columns={[
          ...WORDS.columns,
          ...(hasOrigins ? [WORDS.origins] : []),
          ...(props.mayAct ? [WORDS.decision] : []),
        ]}
        numbers={[2]}
        none={<p class="quiet">{WORDS.noEntries}</p>}
      >
        {props.entries.map(({ fingerprint, attack_type, severity, corroboration_count, ...entry }) => (
          <tr>
            <Threat fingerprint={fingerprint} attack={attack_type} />
            <td data-label={WORDS.columns[1]}>
              <SeverityBadge severity={severity} />
            </td>
            <td class="num" data-label={WORDS.columns[2]}>
              {whole(corroboration_count)}
            </td>
            <td data-label={WORDS.columns[3]}>
              <Moment at={entry.summary.firstReportedAt} />
            </td>
            <td data-label={WORDS.columns[4]}>
              <Moment at={entry.summary.lastReportedAt} />
            </td>
            <td data-label={WORDS.columns[5]}>
              <Moment at={entry.leavesAt} />
            </td>
            {hasOrigins ? <td data-label={WORDS.origins}>{entry.origins.join(', ')}</td> : null}
            {props.mayAct ? (
              <td data-label={WORDS.decision}>
                <RowActs fingerprint={fingerprint} name={worded(attack_type)} />
              </td>
            ) : null}
          </tr>
        ))}
      </Table>
    </section>
  );
};

/** Withdrawn and excluded threats; viewers see neither actors nor reasons. */
export const RulingTable = (props: {
  readonly rulings: readonly ListedRuling[];
  readonly isViewer: boolean;
}) => (
  <Table
    label={WORDS.rulings}
    columns={[...WORDS.rulingColumns, ...(props.isViewer ? [] : WORDS.byColumns)]}
    none={<p class="quiet">{WORDS.noRulings}</p>}
  >
    {props.rulings.map(({ fingerprint, ruling, ruledAt, attack, entry }) => (
      <tr>
        <Threat fingerprint={fingerprint} attack={attack} />
        <td data-label={WORDS.rulingColumns[1]}>{WORDS.ruled[ruling]}</td>
        <td data-label={WORDS.rulingColumns[2]}>
          <Time at={ruledAt} />
        </td>
        {props.isViewer ? null : (
          <Fragment>
            <td data-label={WORDS.byColumns[0]}>{entry && actorWords(entry.actor)}</td>
            <td data-label={WORDS.byColumns[1]}>{entry?.reason}</td>
          </Fragment>
        )}
      </tr>
    ))}
  </Table>
);

/** The last rebuilds by operators. */
export const History = ({ entries }: { readonly entries: readonly KeptAuditEntry[] }) => (
  <section>
    <h2>{WORDS.history}</h2>
    {entries.length === 0 ? (
      <p class="quiet">{WORDS.noHistory}</p>
    ) : (
      <Table
        label={WORDS.history}
        columns={WORDS.historyColumns}
        rows={entries.map(({ at, actor, reason }) => [<Time at={at} />, actorWords(actor), reason])}
      />
    )}
    <p>
      <a href={addressOf(PLACES.audit.path, { subject: 'feed' })}>{WORDS.wholeHistory}</a>
    </p>
  </section>
);
