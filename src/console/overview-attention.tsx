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
  /** The end of the sentence, not in bold. */
  readonly rest?: string;
  /** What to do, if there is no page for it. */
  readonly advice?: string;
  /** The related time, with the words before it. */
  readonly at?: { readonly words: string; readonly moment: number } | undefined;
  readonly button?: ButtonLink;
}

/** The data of the rows. */
export interface AttentionFacts {
  readonly status: ServiceStatusNow;
  readonly risks: SiteRisks | undefined;
  /** Time of the oldest unacknowledged critical alert. */
  readonly oldestAlertAt: number | null;
  /** Domains refused in the last 24 hours because all sites are in use. */
  readonly refused: readonly RefusedDomain[];
  readonly held: readonly HeldLicense[];
  /** Customers by license; undefined if the operator may not see customers. */
  readonly names: ReadonlyMap<number, string> | undefined;
}

/** Maximum number of separate rows of one kind. */
const EACH_MAX = 2;

const serviceNeed =
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

/** Returns a row per license, or one row with their number if there are many. */
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

/** Returns the items that need attention, most urgent first. */
const needsOf = (facts: AttentionFacts): Need[] => [
  ...facts.status.problems.map(serviceNeed('bad')),
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
  ...facts.status.warnings.map(serviceNeed('warn')),
];

/** The items that need attention, each with a button or advice; if there are none, a green line. */
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
