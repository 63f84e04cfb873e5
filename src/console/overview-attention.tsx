/** @jsxImportSource hono/jsx */
import { licenseName } from '../domain/license/license-name.ts';
import { capitalized } from '../lib/capitalized.ts';
import type { SiteRisks } from '../operator/site-risks.ts';
import { AttentionItem, type ButtonLink } from '../pages/attention.tsx';
import { Time } from '../pages/time.tsx';
import type { ServiceStatusNow } from '../routes/admin/service-status.ts';
import type { RefusedDomain } from '../storage/licenses/refused-domains.ts';
import type { HeldLicense } from '../storage/payments/payment-problems.ts';
import { licensePath } from './license-link.tsx';
import { PLACES } from './places.ts';
import { ADVICE, TEXTS } from './texts.ts';

const WORDS = TEXTS.overview;

interface Need {
  readonly is: 'bad' | 'warn';
  readonly what: string;
  /** The end of the sentence, which is not stressed. */
  readonly rest?: string;
  /** What to do, where no page does it. */
  readonly advice?: string;
  /** Since when or until when. */
  readonly at?: { readonly words: string; readonly moment: number } | undefined;
  readonly button?: ButtonLink;
}

/** What the rows are made of. */
export interface AttentionFacts {
  readonly status: ServiceStatusNow;
  readonly risks: SiteRisks | undefined;
  /** When the oldest critical alert that is not acknowledged happened. */
  readonly oldestAlertAt: number | null;
  /** Domains that were refused today because all sites are in use. */
  readonly refused: readonly RefusedDomain[];
  readonly held: readonly HeldLicense[];
  /** Customers of licenses; undefined for those who may not know. */
  readonly names: ReadonlyMap<number, string> | undefined;
}

/** Rows of one kind that are shown one by one. */
const EACH_MAX = 2;

const told =
  (is: Need['is']) =>
  (what: string): Need => ({
    is,
    what: capitalized(what),
    advice: ADVICE.find(([piece]) => what.includes(piece))?.[1] ?? '',
  });

function securityNeeds({ status, risks, oldestAlertAt }: AttentionFacts): Need[] {
  const alerts = status.critical_alerts_unacknowledged;
  const dueSites = risks?.dueSoon.sites ?? 0;
  const first = risks?.affected.toSorted((one, other) => one.dueAt - other.dueAt)[0];
  return [
    ...(alerts === 0
      ? []
      : [
          {
            is: 'bad' as const,
            what: WORDS.criticalOpen(alerts),
            at: oldestAlertAt === null ? undefined : { words: WORDS.oldest, moment: oldestAlertAt },
            button: { href: `${PLACES.alerts.path}?severity=critical&state=no`, words: WORDS.reviewAlerts },
          },
        ]),
    ...(dueSites === 0
      ? []
      : [
          {
            is: 'bad' as const,
            what: WORDS.dueSoon(dueSites, risks?.dueSoon.licenses.size ?? 0),
            at: first && { words: WORDS.firstDue, moment: first.dueAt },
            button: { href: PLACES.vulnerabilities.path, words: WORDS.seeVulnerabilities },
          },
        ]),
  ];
}

const refusedNeeds = ({ refused }: AttentionFacts): Need[] =>
  refused.slice(0, EACH_MAX).map(({ licenseId, domain, count, lastAt }) => ({
    is: 'warn',
    what: domain,
    rest: WORDS.domainRefused,
    at: { words: WORDS.refusedLast(count), moment: lastAt },
    button: { href: licensePath(licenseName(licenseId)), words: WORDS.openLicense },
  }));

/** Each license, or their number where there are many. */
function paymentNeeds({ status: { payments }, held, names }: AttentionFacts): Need[] {
  const openPayments = { href: PLACES.payments.path, words: WORDS.openPayments };
  const failing: Need[] =
    payments.failing === 0
      ? []
      : [{ is: 'warn', what: WORDS.failingPayments(payments.failing), button: openPayments }];
  if (payments.held_licenses > EACH_MAX)
    return [
      ...failing,
      { is: 'warn', what: WORDS.heldLicenses(payments.held_licenses), button: openPayments },
    ];
  const each = held.map(({ licenseId, pastDueHoldFrom, isDisputed }): Need => {
    const name = licenseName(licenseId);
    const customer = names?.get(licenseId) ?? name;
    return {
      is: 'warn',
      what: isDisputed ? WORDS.disputed(customer) : WORDS.unpaid(customer),
      at: pastDueHoldFrom === null ? undefined : { words: WORDS.suspends, moment: pastDueHoldFrom },
      button: { href: licensePath(name), words: WORDS.openLicense },
    };
  });
  return [...failing, ...each];
}

/** What needs attention, the most urgent first. */
const needsOf = (facts: AttentionFacts): Need[] => [
  ...facts.status.problems.map(told('bad')),
  ...securityNeeds(facts),
  ...refusedNeeds(facts),
  ...paymentNeeds(facts),
  ...(facts.status.vulnerabilities.state === 'stale'
    ? [
        {
          is: 'warn' as const,
          what: WORDS.stale,
          button: { href: PLACES.vulnerabilities.path, words: PLACES.vulnerabilities.words },
        },
      ]
    : []),
  ...facts.status.warnings.map(told('warn')),
];

/** What needs attention, each with one button or with what to do; a single green line when nothing does. */
export function Attention({ facts }: { readonly facts: AttentionFacts }) {
  const needs = needsOf(facts);
  if (needs.length === 0)
    return (
      <p class="notice good" role="status">
        {WORDS.allWell}
      </p>
    );
  return (
    <section class="card attention" aria-label={WORDS.needs(needs.length)}>
      <ul>
        {needs.map(({ is, what, rest = '', advice = '', at, button }) => (
          <AttentionItem is={is} button={button}>
            <strong>{what}</strong>
            {rest}
            {advice === '' ? null : `. ${advice}`}
            {at === undefined ? null : (
              <span class="quiet">
                {' '}
                <span class="one">
                  {`${at.words} `}
                  <Time at={at.moment} />
                </span>
              </span>
            )}
          </AttentionItem>
        ))}
      </ul>
    </section>
  );
}
