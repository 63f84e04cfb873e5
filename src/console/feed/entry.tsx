/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { RULINGS } from '../../acts/feed/acts.ts';
import { ActForms } from '../../acts/form.tsx';
import { ATTACK_MEANINGS, type AttackType } from '../../domain/threat/attack-type.ts';
import type { FeedEntry } from '../../domain/threat/feed.ts';
import { capitalized } from '../../lib/capitalized.ts';
import { SeverityBadge } from '../../pages/badges.tsx';
import { Facts, whole } from '../../pages/html.tsx';
import { Time } from '../../pages/time.tsx';
import type { FeedHistory } from '../../storage/threats/feed-objects.ts';
import type { ThreatSummary } from '../../storage/threats/threat-reports.ts';
import { type ListedRuling, RulingTable } from './lists.tsx';
import { WORDS } from './words.ts';

const { entry: TEXT } = WORDS;

/** Facts about a threat, including the number of customers that report it, but not which. */
export const ThreatCard = (props: {
  readonly fingerprint: string;
  /** Undefined = only its fingerprint is known. */
  readonly attack: AttackType | undefined;
  /** The published entry; undefined = not in the feed. */
  readonly entry: FeedEntry | undefined;
  readonly summary: ThreatSummary;
  /** Its history in the feed; undefined = never in the feed, or too long ago. */
  readonly history: FeedHistory | undefined;
  readonly origins: readonly string[];
  /** Time at which it leaves the feed unless it is reported again; undefined without reports. */
  readonly leavesAt: number | undefined;
}) => {
  const { fingerprint, attack, entry, summary, history, origins, leavesAt } = props;
  const { customers, firstReportedAt, lastReportedAt } = summary;
  return (
    <section class="card">
      <h2>{TEXT.about}</h2>
      {customers === 0 && entry === undefined ? <p class="quiet">{TEXT.none}</p> : null}
      <Facts
        of={[
          [TEXT.fingerprint, <code>{fingerprint}</code>],
          [TEXT.published, entry === undefined ? TEXT.no : TEXT.yes],
          [
            entry === undefined ? TEXT.firstIn : TEXT.since,
            history === undefined ? null : <Time at={history.createdAt} />,
          ],
          [TEXT.left, history?.isWithdrawn ? <Time at={history.modifiedAt} /> : null],
          [TEXT.behavior, attack && capitalized(ATTACK_MEANINGS[attack])],
          [TEXT.severity, entry && <SeverityBadge severity={entry.severity} />],
          [TEXT.customers, whole(customers)],
          [TEXT.first, firstReportedAt === null ? null : <Time at={firstReportedAt} />],
          [TEXT.last, lastReportedAt === null ? null : <Time at={lastReportedAt} />],
          [TEXT.origins, origins.length === 0 ? null : origins.join(', ')],
          [
            TEXT.leaves,
            entry === undefined || leavesAt === undefined ? null : (
              <Fragment>
                <Time at={leavesAt} />
                {`, ${TEXT.leavesUnless}`}
              </Fragment>
            ),
          ],
        ]}
      />
    </section>
  );
};

/** The ruling on a threat and, for operators, the forms that change it. */
export const RulingCard = (props: {
  readonly path: string;
  readonly fingerprint: string;
  readonly ruling: ListedRuling | undefined;
  readonly isViewer: boolean;
  readonly mayAct: boolean;
}) => {
  const { path, fingerprint, ruling, isViewer, mayAct } = props;
  return (
    <Fragment>
      {ruling === undefined ? null : (
        <section class="card">
          <h2>{TEXT.ruling}</h2>
          <RulingTable rulings={[ruling]} isViewer={isViewer} />
        </section>
      )}
      {mayAct
        ? RULINGS.map((act) => (
            <ActForms act={act} path={path} typed={undefined}>
              <input type="hidden" name="fingerprint" value={fingerprint} />
            </ActForms>
          ))
        : null}
    </Fragment>
  );
};
