/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { ActButton, ActForms } from '../acts/form.tsx';
import { type RetryTarget, retried, retry, retrySubject } from '../acts/payments/acts.ts';
import { hasRole } from '../domain/admin/operator.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { getAt } from '../http/route/endpoint.ts';
import { DAY_MS } from '../lib/clock.ts';
import { Facts, More, Problem, whole } from '../pages/html.tsx';
import { addressOf, filtersOf } from '../pages/query.ts';
import { Table, TableCard } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { Parts } from '../routes/parts.ts';
import { readCustomerNames } from '../storage/licenses/customer-names.ts';
import {
  type FailingCounts,
  type FailingPayment,
  type HeldLicense,
  readDismissedPayments,
  readFailingCounts,
  readPaymentProblems,
} from '../storage/payments/payment-problems.ts';
import { readTrialCounts } from '../storage/payments/trial-counts.ts';
import { noticeOf } from './act.ts';
import { customerPath } from './customer-link.ts';
import { LicenseLink } from './license-link.tsx';
import { type PageActParts, pageActs, type RefusedForm } from './page-acts.ts';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { type HasNotices, page, type Visit } from './visit.ts';

const { path: PATH } = PLACES.payments;
const WORDS = TEXTS.payments;

const SHOWN_MAX = 50;
const COUNTED_MAX = 1_000;
const DISMISSED_DAYS = 7;

const counted = (count: number, of: number) =>
  of < COUNTED_MAX ? whole(count) : `${WORDS.atLeast} ${whole(count)}`;

/** Failed payment events. IDs of the payment processor identify customers, so viewers see only counts. */
function Failing(props: {
  readonly counts: FailingCounts;
  readonly failing: readonly FailingPayment[];
  readonly maySee: boolean;
  readonly mayAct: boolean;
}) {
  const { maySee, mayAct } = props;
  const { events, subjects } = props.counts;
  const { act, ...columns } = WORDS.columns;
  if (events === 0) return <p class="quiet">{WORDS.noneFails}</p>;
  return (
    <Fragment>
      <p>{WORDS.failingWords(events, subjects)}</p>
      <p class="quiet">{WORDS.why}</p>
      {maySee ? (
        <Table
          label={WORDS.failing}
          columns={[...Object.values(columns), ...(mayAct ? [act] : [])]}
          rows={props.failing.map(({ kind, subjectId, oldestReceivedAt, nextTryAt, ...each }) => [
            ...[`${kind} ${subjectId}`, whole(each.events), whole(each.attempts)],
            ...[<Time at={oldestReceivedAt} />, <Time at={nextTryAt} />],
            ...(mayAct
              ? [
                  <ActButton
                    act={retry}
                    path={PATH}
                    subject={subjectId}
                    target={{ kind, subject_id: subjectId }}
                  />,
                ]
              : []),
          ])}
        />
      ) : null}
    </Fragment>
  );
}

/** Licenses that are or will be suspended for payment reasons, with customers for operators who may see them. */
const Held = ({
  held,
  names,
  now,
}: {
  readonly held: readonly HeldLicense[];
  readonly names: ReadonlyMap<number, string> | undefined;
  readonly now: number;
}) => (
  <Table
    label={WORDS.held}
    columns={Object.values(WORDS.heldColumns)}
    rows={held.map(({ licenseId, pastDueHoldFrom, isDisputed, details }) => [
      <LicenseLink id={licenseId} />,
      names?.has(licenseId) ? <a href={customerPath(licenseName(licenseId))}>{names.get(licenseId)}</a> : '–',
      pastDueHoldFrom !== null && pastDueHoldFrom > now ? (
        <span class="badge warn">{WORDS.willBe}</span>
      ) : (
        <span class="badge bad">{WORDS.isNow}</span>
      ),
      pastDueHoldFrom === null ? '–' : <Time at={pastDueHoldFrom} />,
      details.map((detail) => WORDS.details[detail]).join(', ') ||
        (isDisputed ? WORDS.disputed : WORDS.unpaid),
    ])}
    none={<p class="quiet">{WORDS.noneHeld}</p>}
  />
);

/** The page of failed payment events, which can be retried, and of licenses suspended for payment reasons. */
export const paymentPages = (parts: PageActParts & HasNotices & Parts<'settlePayments'>) => {
  const { db, clock, notices, settlePayments, config } = parts;
  const problems = readPaymentProblems(db);
  const failingCounts = readFailingCounts(db);
  const dismissedSince = readDismissedPayments(db);
  const trialCounts = readTrialCounts(db);

  const show = async (visit: Visit, refused?: RefusedForm) => {
    const now = clock.now();
    const maySee = hasRole(visit.operator.role, 'support');
    const mayAct = hasRole(visit.operator.role, 'operator');
    const { failing, held } = await problems(COUNTED_MAX, now);
    const from = Math.min(
      COUNTED_MAX,
      Number(/^\d{1,4}$/.exec(filtersOf(visit.request, ['from']).from ?? '') ?? 0),
    );
    const shownHeld = held
      .toSorted((one, other) => (one.pastDueHoldFrom ?? 0) - (other.pastDueHoldFrom ?? 0))
      .slice(from, from + SHOWN_MAX);
    const next =
      from + SHOWN_MAX < held.length ? addressOf(PATH, { from: String(from + SHOWN_MAX) }) : undefined;
    const trials = await trialCounts(now);
    const pastDue = held.filter(({ pastDueHoldFrom }) => pastDueHoldFrom !== null);
    const dismissed = maySee ? await dismissedSince(now - DISMISSED_DAYS * DAY_MS, SHOWN_MAX) : [];
    return showPlace(
      visit,
      PLACES.payments,
      <Fragment>
        <Problem text={refused?.refusal.message} />
        <div class="cards">
          <section class="card wide">
            <h2>{WORDS.failing}</h2>
            <Failing
              counts={await failingCounts()}
              failing={failing.slice(0, SHOWN_MAX)}
              maySee={maySee}
              mayAct={mayAct}
            />
          </section>
          {mayAct && failing.length > 0 ? (
            <ActForms act={retry} path={PATH} typed={refused}>
              <input type="hidden" name="all" value="1" />
            </ActForms>
          ) : null}
          <section class="card wide">
            <h2>{WORDS.held}</h2>
            <p class="figure">{counted(held.length, held.length)}</p>
            <Held
              held={shownHeld}
              names={
                maySee
                  ? await readCustomerNames(
                      db,
                      shownHeld.map(({ licenseId }) => licenseId),
                    )
                  : undefined
              }
              now={now}
            />
            <More href={next} />
          </section>
          <section class="card">
            <h2>{WORDS.trials}</h2>
            <Facts
              of={[
                [WORDS.running, whole(trials.running)],
                [WORDS.waiting, whole(trials.waiting)],
                [WORDS.begunToday, whole(trials.begunToday)],
              ]}
            />
          </section>
          <section class="card">
            <h2>{WORDS.pastDue}</h2>
            <p class="figure">{counted(pastDue.length, held.length)}</p>
            <p class="quiet">{WORDS.pastDueWords(pastDue.length)}</p>
          </section>
          {maySee ? (
            <TableCard
              label={WORDS.dismissed}
              none={WORDS.noneDismissed}
              columns={Object.values(WORDS.dismissedColumns)}
              rows={dismissed.map(({ at, kind, subjectId }) => [`${kind} ${subjectId}`, <Time at={at} />])}
            />
          ) : null}
        </div>
      </Fragment>,
      { notices: notices.take(visit, PATH), refused: refused?.refusal.refused },
    );
  };

  /** @throws Refusal if a form names neither one subject nor all */
  const targetOf = ({ kind, subject_id, all }: Form): RetryTarget => {
    const subject = retrySubject(kind, subject_id, all === '1');
    if (subject === undefined) throw refuse('ACT_REFUSED', WORDS.gone);
    const hasProcessor = config.stripeSecretKey !== undefined;
    return { subject: subject === 'all' ? undefined : subject, hasProcessor };
  };

  return [
    getAt(PATH, page(parts, 'viewer', show)),
    ...pageActs(parts, {
      path: PATH,
      role: 'operator',
      acts: [retry],
      find: targetOf,
      refused: show,
      done(visit, _, __, done) {
        settlePayments();
        notices.leave(visit, PATH, noticeOf(done, { words: retried(done.plan?.events ?? 0) }));
      },
    }),
  ];
};
