/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { FeedEntry, FeedSnapshot } from '../domain/threat/feed.ts';
import { changedFacts } from '../operator/shown-audit-entry.ts';
import { Field, FilterBar } from '../pages/form.tsx';
import { Facts, whole } from '../pages/html.tsx';
import { addressOf } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { KeptAuditEntry } from '../storage/operators/audit.ts';
import type { KeptRuling } from '../storage/threats/feed-rulings.ts';
import { PLACES } from './places.ts';
import { TEXTS } from './texts.ts';

const { path: PATH } = PLACES.feed;
const WORDS = TEXTS.feed;

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

export const FindForm = ({ find }: { readonly find: string | undefined }) => (
  <FilterBar action={PATH}>
    <Field label={WORDS.find} name="find" value={find} max={43} />
  </FilterBar>
);

/** Leads to what there is about one threat, with the forms filled in. */
const Threat = ({ fingerprint }: { readonly fingerprint: string }) => (
  <th scope="row">
    <a href={addressOf(PATH, { find: fingerprint })}>
      <code>{fingerprint}</code>
    </a>
  </th>
);

/** A page of the feed: how many vouch, never who of the customers. */
export const Entries = ({
  entries,
  origins,
}: {
  readonly entries: readonly FeedEntry[];
  /** Of each, the trusted installations that vouch for it as well. */
  readonly origins: readonly (readonly string[])[];
}) => (
  <section>
    <h2>{WORDS.entries}</h2>
    <Table label={WORDS.entries} columns={WORDS.columns} none={<p class="quiet">{WORDS.noEntries}</p>}>
      {entries.map(({ fingerprint, attack_type, severity, corroboration_count }, at) => (
        <tr>
          <Threat fingerprint={fingerprint} />
          <td>{attack_type}</td>
          <td>{severity}</td>
          <td class="number">{corroboration_count}</td>
          <td>{origins[at]?.join(', ')}</td>
        </tr>
      ))}
    </Table>
  </section>
);

/** A page of what is kept out of the feed; viewers do not see by whom and why. */
export const Rulings = ({
  rulings,
  isViewer,
}: {
  readonly rulings: readonly ListedRuling[];
  readonly isViewer: boolean;
}) => (
  <section>
    <h2>{WORDS.rulings}</h2>
    {rulings.length === 0 ? (
      <p class="quiet">{WORDS.noRulings}</p>
    ) : (
      <Table label={WORDS.rulings} columns={[...WORDS.rulingColumns, ...(isViewer ? [] : WORDS.byColumns)]}>
        {rulings.map(({ fingerprint, ruling, ruledAt, entry }) => (
          <tr>
            <Threat fingerprint={fingerprint} />
            <td>{WORDS.ruled[ruling]}</td>
            <td>
              <Time at={ruledAt} />
            </td>
            {isViewer ? null : (
              <Fragment>
                <td class="word">{entry?.actor}</td>
                <td>{entry?.reason}</td>
              </Fragment>
            )}
          </tr>
        ))}
      </Table>
    )}
  </section>
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
