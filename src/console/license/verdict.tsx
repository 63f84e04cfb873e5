/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { type ActWords, roleFor } from '../../acts/act.ts';
import { ActButton } from '../../acts/form.tsx';
import { unbind, unblock } from '../../acts/licenses/domains.ts';
import { resume } from '../../acts/licenses/holds.ts';
import { change, extendBy } from '../../acts/licenses/terms.ts';
import { hasRole, type Role } from '../../domain/admin/operator.ts';
import { HOLDS } from '../../domain/license/license.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { admissionOf } from '../../domain/license/verification.ts';
import type { Form } from '../../http/form.ts';
import type { Explanation } from '../../operator/explain-license.ts';
import { addressOf } from '../../pages/query.ts';
import { dateOf, Time } from '../../pages/time.tsx';
import { VerdictBar } from '../../pages/verdict-bar.tsx';
import { licensePath } from '../license-link.tsx';
import { type RefusedNow, stillRefused } from './refused.ts';
import { HOLD_WORDS, WORDS } from './words.ts';

/** A button that fixes the reason of a refusal. */
type Fix =
  | { readonly words: string; readonly act: Pick<ActWords, 'verb' | 'title' | 'role'>; readonly target: Form }
  | { readonly words: string; readonly href: string };

interface Verdict {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly lead: string;
  readonly detail?: Child;
  readonly fixes?: readonly Fix[];
}

/** Returns whether checks of the license are valid, and otherwise the possible fixes. */
export function verdictOf(explanation: Explanation, refused: readonly RefusedNow[]): Verdict {
  const { license, standing, verification, domain, lastVerify } = explanation;
  const ofAll = refusedAsWhole(explanation);
  if (ofAll) return ofAll;
  if (domain) {
    const isRefused = admissionOf(domain.binding) !== 'valid';
    const known = refused.find((each) => each.domain === domain.domain);
    return {
      tone: isRefused ? 'bad' : 'good',
      lead: WORDS.domain[domain.binding](domain.domain, explanation.sites.allowed),
      detail: known && isRefused ? <Counted of={known} others={0} path="" /> : null,
      fixes: isRefused ? fixesOf(explanation, domain) : [],
    };
  }
  const [newest, ...others] = stillRefused(refused);
  if (newest) {
    const path = licensePath(licenseName(license.id));
    return {
      tone: 'bad',
      lead: WORDS.domain[newest.binding](newest.domain, explanation.sites.allowed),
      detail: <Counted of={newest} others={others.length} path={path} />,
      fixes: fixesOf(explanation, newest),
    };
  }
  if (license.paymentHoldFrom !== null && license.granted === null)
    return {
      tone: 'warn',
      lead: WORDS.pastDue,
      detail: (
        <Fragment>
          {`${WORDS.suspendedFrom} `}
          <Time at={license.paymentHoldFrom} />
        </Fragment>
      ),
      fixes: [{ words: WORDS.resume, act: resume, target: { hold: 'payment' } }],
    };
  return {
    tone: verification === 'valid' ? 'good' : 'bad',
    lead: WORDS.valid(standing.plan),
    detail:
      lastVerify === null ? (
        WORDS.neverChecked
      ) : (
        <Fragment>
          {`${WORDS.lastCheck} `}
          <Time at={lastVerify.at} />
        </Fragment>
      ),
  };
}

function refusedAsWhole({ license, standing }: Explanation): Verdict | undefined {
  const { holds, paymentHolds, paymentHoldFrom, pendingUntil } = license;
  switch (standing.state) {
    case 'revoked':
      return {
        tone: 'bad',
        lead: WORDS.all.revoked,
        detail: WORDS.all.final,
      };
    case 'suspended': {
      const all = HOLDS.filter(
        (hold) =>
          holds.includes(hold) ||
          paymentHolds.includes(hold) ||
          (hold === 'payment' && paymentHoldFrom !== null),
      );
      return {
        tone: 'bad',
        lead: WORDS.all.suspended(all.map((hold) => HOLD_WORDS[hold])),
        fixes: all.map((hold) => ({ words: WORDS.resume, act: resume, target: { hold } })),
      };
    }
    case 'expired':
      return {
        tone: 'bad',
        lead: WORDS.all.expired,
        detail: (
          <Fragment>
            {`${WORDS.itEnded} `}
            <Time at={standing.expiresAt ?? 0} />
          </Fragment>
        ),
        fixes: [{ words: WORDS.extendYear, act: extendBy, target: { days: '365' } }],
      };
    case 'pending':
      return {
        tone: 'bad',
        lead: WORDS.all.pending,
        detail: (
          <Fragment>
            {`${WORDS.all.pendingUntil} `}
            <Time at={pendingUntil ?? 0} />
            {`. ${WORDS.all.pendingDetail}`}
          </Fragment>
        ),
      };
    default:
      return undefined;
  }
}

function fixesOf(
  { license, sites }: Explanation,
  { binding, domain }: Pick<RefusedNow, 'binding' | 'domain'>,
): Fix[] {
  if (binding === 'blocked_domain') return [{ words: WORDS.unblock, act: unblock, target: { domain } }];
  if (binding !== 'site_limit_reached') return [];
  const path = licensePath(licenseName(license.id));
  const was_sites = String(license.sitesOverride ?? '');
  const more = String(Math.max(sites.allowed, sites.used) + 1);
  return [
    { words: WORDS.addSite, act: change, target: { sites: more, was_sites } },
    { words: WORDS.unbind, href: addressOf(path, { tab: 'sites' }) },
  ];
}

const Counted = (props: { readonly of: RefusedNow; readonly others: number; readonly path: string }) => {
  const { of, others, path } = props;
  return (
    <Fragment>
      {`${WORDS.checks(of.count, dateOf(of.firstAt))} `}
      <Time at={of.lastAt} />
      {others === 0 ? null : (
        <Fragment>
          {' · '}
          <a href={addressOf(path, { tab: 'sites' })}>{WORDS.otherDomains(others)}</a>
        </Fragment>
      )}
    </Fragment>
  );
};

/** The verdict with its fixes, for operators who may apply them. */
export const LicenseVerdict = (props: {
  readonly explanation: Explanation;
  readonly refused: readonly RefusedNow[];
  readonly role: Role;
}) => {
  const { explanation, refused, role } = props;
  const { tone, lead, detail, fixes = [] } = verdictOf(explanation, refused);
  const name = licenseName(explanation.license.id);
  const shown = fixes.filter((fix) => hasRole(role, roleFor('act' in fix ? fix.act : unbind)));
  return (
    <VerdictBar label={WORDS.verdict} tone={tone} lead={lead} detail={detail}>
      {shown.length === 0
        ? null
        : shown.map((fix, at) =>
            'href' in fix ? (
              <a class="button quiet small" href={fix.href}>
                {fix.words}
              </a>
            ) : (
              <ActButton
                act={{ ...fix.act, submit: fix.words }}
                path={licensePath(name)}
                subject={fix.target.domain ?? name}
                target={fix.target}
                isMain={at === 0}
              />
            ),
          )}
    </VerdictBar>
  );
};
