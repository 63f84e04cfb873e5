/** @jsxImportSource hono/jsx */
import type { SiteRisks } from '../operator/site-risks.ts';
import { AttentionItem, type ButtonLink } from '../pages/attention.tsx';
import type { ServiceStatusNow } from '../routes/admin/service-status.ts';
import { PLACES } from './places.ts';
import { ADVICE, TEXTS } from './texts.ts';

const WORDS = TEXTS.overview;

interface Need {
  readonly is: 'bad' | 'warn';
  readonly what: string;
  /** What to do, where no page does it. */
  readonly advice?: string;
  readonly button?: ButtonLink;
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
const told =
  (is: Need['is']) =>
  (what: string): Need => ({
    ...{ is, what },
    advice: ADVICE.find(([piece]) => what.includes(piece))?.[1] ?? '',
  });

/** What needs attention, the most urgent first. */
function needsOf(status: ServiceStatusNow, risks: SiteRisks | undefined): Need[] {
  const { critical_alerts_unacknowledged: alerts, payments, vulnerabilities } = status;
  const overdue = risks?.overdueCount ?? 0;
  const counted: readonly (Need & { readonly if: boolean })[] = [
    {
      ...{ if: alerts > 0, is: 'bad', what: WORDS.criticalOpen(alerts) },
      button: { href: `${PLACES.alerts.path}?severity=critical&state=no`, words: WORDS.reviewAlerts },
    },
    {
      ...{ if: overdue > 0, is: 'bad', what: WORDS.overdue(overdue) },
      button: { href: PLACES.vulnerabilities.path, words: WORDS.seeVulnerabilities },
    },
    {
      ...{ if: payments.failing > 0, is: 'warn', what: WORDS.failingPayments(payments.failing) },
      button: { href: PLACES.payments.path, words: WORDS.openPayments },
    },
    {
      ...{ if: payments.held_licenses > 0, is: 'warn', what: WORDS.heldLicenses(payments.held_licenses) },
      button: { href: PLACES.payments.path, words: WORDS.openPayments },
    },
    {
      ...{ if: vulnerabilities.state === 'stale', is: 'warn', what: WORDS.stale },
      button: { href: PLACES.vulnerabilities.path, words: PLACES.vulnerabilities.words },
    },
  ];
  return [
    ...status.problems.map(told('bad')),
    ...counted.filter((need) => need.if),
    ...status.warnings.map(told('warn')),
  ];
}

/** What needs attention, each with one button or with what to do; a single green line when nothing does. */
export function Attention(props: {
  readonly status: ServiceStatusNow;
  readonly risks: SiteRisks | undefined;
}) {
  const needs = needsOf(props.status, props.risks);
  if (needs.length === 0)
    return (
      <p class="notice good" role="status">
        {WORDS.allWell}
      </p>
    );
  return (
    <section class="card attention" aria-label={WORDS.needs(needs.length)}>
      <ul>
        {needs.map(({ is, what, advice = '', button }) => (
          <AttentionItem is={is} button={button}>
            <strong>{sentence(what)}</strong>
            {` ${advice}`}
          </AttentionItem>
        ))}
      </ul>
    </section>
  );
}
