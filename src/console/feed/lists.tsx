/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { allow, withdraw } from '../../acts/feed/acts.ts';
import { ATTACK_TYPES } from '../../domain/threat/attack-type.ts';
import type { FeedEntry, FeedSnapshot } from '../../domain/threat/feed.ts';
import { REASON_CHARACTERS_MAX } from '../../operator/act.ts';
import { changedFacts } from '../../operator/shown-audit-entry.ts';
import { SeverityBadge } from '../../pages/badges.tsx';
import { Choice, Field, FilterBar } from '../../pages/form.tsx';
import { Facts, whole } from '../../pages/html.tsx';
import { addressOf } from '../../pages/query.ts';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import { WORDS as SHARED } from '../../pages/words.ts';
import type { KeptAuditEntry } from '../../storage/operators/audit.ts';
import type { KeptRuling } from '../../storage/threats/feed-rulings.ts';
import { worded } from '../license/words.ts';
import { PLACES } from '../places.ts';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.feed;
/** The beginning of a fingerprint tells it apart; its page has all of it. */
const FINGERPRINT_SHOWN = 12;

/** A ruling, and what the audit log has of it for those who may see that. */
export interface ListedRuling extends KeptRuling {
  readonly entry: KeptAuditEntry | undefined;
}

/** How the feed stands. */
export const State = ({
  isShared,
  snapshot,
  count,
  rightAt,
}: {
  readonly isShared: boolean;
  readonly snapshot: FeedSnapshot | undefined;
  readonly count: number;
  readonly rightAt: number;
}) => (
  <section class="card">
    <h2>{WORDS.state}</h2>
    {snapshot === undefined ? <p class="quiet">{WORDS.none}</p> : null}
    {isShared ? null : <p class="quiet">{WORDS.offMeans}</p>}
    <Facts
      of={[
        [WORDS.sharing, isShared ? WORDS.on : WORDS.off],
        [WORDS.epoch, snapshot?.epoch],
        [WORDS.made, snapshot && <Time at={snapshot.generatedAt} />],
        [WORDS.right, snapshot && <Time at={rightAt} />],
        [WORDS.count, snapshot && whole(count)],
      ]}
    />
  </section>
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

/** The page of one threat. */
export const threatPath = (fingerprint: string): string =>
  `${PATH}/threats/${encodeURIComponent(fingerprint)}`;

const Threat = ({ fingerprint }: { readonly fingerprint: string }) => (
  <th scope="row">
    <a href={threatPath(fingerprint)}>
      <code>{`${fingerprint.slice(0, FINGERPRINT_SHOWN)}…`}</code>
    </a>
  </th>
);

/** Withdraws an entry, or keeps it out for good, from its row. */
const RowActs = ({ fingerprint }: { readonly fingerprint: string }) => (
  <form method="post" action={`${PATH}/${withdraw.verb}`} class="acts">
    <input type="hidden" name="fingerprint" value={fingerprint} />
    <input
      name="reason"
      aria-label={WORDS.reasonFor(fingerprint)}
      placeholder={WORDS.reason}
      maxlength={REASON_CHARACTERS_MAX}
      autocomplete="off"
      required
    />
    <button type="submit" class="quiet" aria-label={`${withdraw.submit}: ${fingerprint}`}>
      {withdraw.submit}
    </button>
    <button
      type="submit"
      class="quiet"
      formaction={`${PATH}/${allow.verb}`}
      aria-label={`${WORDS.neverPublish}: ${fingerprint}`}
    >
      {WORDS.neverPublish}
    </button>
  </form>
);

/** A page of the feed: how many customers report each entry, never who. */
export const Entries = (props: {
  readonly entries: readonly FeedEntry[];
  /** Of each, the trusted installations that report it as well. */
  readonly origins: readonly (readonly string[])[];
  readonly mayAct: boolean;
}) => (
  <section>
    <h2>{WORDS.entries}</h2>
    <Table
      label={WORDS.entries}
      columns={[...WORDS.columns, ...(props.mayAct ? [WORDS.decision] : [])]}
      none={<p class="quiet">{WORDS.noEntries}</p>}
    >
      {props.entries.map(({ fingerprint, attack_type, severity, corroboration_count }, at) => (
        <tr>
          <Threat fingerprint={fingerprint} />
          <td>{worded(attack_type)}</td>
          <td>
            <SeverityBadge severity={severity} />
          </td>
          <td class="number">{whole(corroboration_count)}</td>
          <td>{props.origins[at]?.join(', ')}</td>
          {props.mayAct ? (
            <td>
              <RowActs fingerprint={fingerprint} />
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  </section>
);

/** Withdrawn and allowed threats; viewers see neither actors nor reasons. */
export const RulingTable = (props: {
  readonly rulings: readonly ListedRuling[];
  readonly isViewer: boolean;
}) => (
  <Table
    label={WORDS.rulings}
    columns={[...WORDS.rulingColumns, ...(props.isViewer ? [] : WORDS.byColumns)]}
    none={<p class="quiet">{WORDS.noRulings}</p>}
  >
    {props.rulings.map(({ fingerprint, ruling, ruledAt, entry }) => (
      <tr>
        <Threat fingerprint={fingerprint} />
        <td>{WORDS.ruled[ruling]}</td>
        <td>
          <Time at={ruledAt} />
        </td>
        {props.isViewer ? null : (
          <Fragment>
            <td class="word">{entry?.actor}</td>
            <td>{entry?.reason}</td>
          </Fragment>
        )}
      </tr>
    ))}
  </Table>
);

/** The last epochs that operators have made. */
export const History = ({ entries }: { readonly entries: readonly KeptAuditEntry[] }) => (
  <section>
    <h2>{WORDS.history}</h2>
    <p class="quiet">{WORDS.historyMeans}</p>
    {entries.length === 0 ? null : (
      <Table label={WORDS.history} columns={WORDS.historyColumns}>
        {entries.map((entry) => (
          <tr>
            <td>
              <Time at={entry.at} />
            </td>
            <td class="word">{entry.actor}</td>
            <td>{changedFacts(entry).join('; ')}</td>
            <td>{entry.reason}</td>
          </tr>
        ))}
      </Table>
    )}
    <p>
      <a href={addressOf(PLACES.audit.path, { subject: 'feed' })}>{WORDS.wholeHistory}</a>
    </p>
  </section>
);
