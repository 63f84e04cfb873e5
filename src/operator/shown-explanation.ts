import { planShown } from '../domain/license/license-filter.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { disclosedReasonOf, reasonOf } from '../domain/license/verification.ts';
import { iso, isoOrNull, SECOND_MS } from '../lib/clock.ts';
import { ACTIVITY_EVERY_MS } from '../tasks/license-activity.ts';
import type { Explanation } from './explain-license.ts';
import { shownKey, shownPreviousKey } from './shown-license.ts';

const LATE_SECONDS = ACTIVITY_EVERY_MS / SECOND_MS;

/** What an operator sees of an explanation. */
export function shownExplanation(explanation: Explanation) {
  const { license, standing, verification, why, sites, domain, budget, stored, lastVerify } = explanation;
  const isValid = verification === 'valid';
  return {
    license_id: licenseName(license.id),
    key: shownKey(license),
    previous_key: shownPreviousKey(explanation.previousKey),
    answer: {
      valid: isValid,
      plan: isValid ? standing.plan : 'free',
      reason: disclosedReasonOf(verification) ?? null,
    },
    reason: reasonOf(verification) ?? null,
    why,
    status: standing.state,
    plan: planShown(license, standing),
    environment: license.environment,
    expires_at: isoOrNull(standing.expiresAt),
    holds: license.holds,
    payment_holds: license.paymentHolds,
    payment_hold_details: explanation.holdDetails,
    payment_hold_from: isoOrNull(license.paymentHoldFrom),
    sites_used: sites.used,
    sites_allowed: sites.allowed,
    domain,
    domains: license.domains,
    blocked_domains: license.blockedDomains,
    daily_budget: { ...budget, events_used: stored.events, bytes_used: stored.bytes },
    daily_caps: explanation.routes,
    last_verify: lastVerify && {
      at: iso(lastVerify.at),
      outcome: lastVerify.reason === null ? 'valid' : 'invalid',
      reason: lastVerify.reason,
    },
    last_heartbeat_at: isoOrNull(explanation.lastHeartbeatAt),
    refusals: explanation.refusals.map(({ at, code, route }) => ({ at: iso(at), code, route })),
    refused_domains: explanation.refusedDomains.map(({ domain, reason, count, firstAt, lastAt }) => ({
      domain,
      reason,
      count,
      first_at: iso(firstAt),
      last_at: iso(lastAt),
    })),
    read_at: iso(explanation.readAt),
    answers_noted_at: isoOrNull(explanation.notedAt),
    answers_late_seconds: LATE_SECONDS,
  };
}
