/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { ActForms, type TypedAct } from '../acts/form.tsx';
import { bind, block, unbind, verifyDomain } from '../acts/licenses/domains.ts';
import { forget, revoke } from '../acts/licenses/ends.ts';
import { resume, suspend } from '../acts/licenses/holds.ts';
import { rotate } from '../acts/licenses/keys.ts';
import { change, extendBy } from '../acts/licenses/terms.ts';
import { grantedTerms } from '../domain/license/license.ts';
import type { Form } from '../http/form.ts';
import { isoOrNull } from '../lib/clock.ts';
import type { ShownLicense } from '../operator/shown-license.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { licensePath } from './license-link.tsx';

/** What an operator granted and noted, as the forms show it; what is as the plan has it is blank. */
function whatIs(license: LicenseRecord, now: number): Form {
  const { plan, sitesOverride, expiresAt } = grantedTerms(license, now);
  const values = {
    plan,
    sites: sitesOverride,
    expires_at: isoOrNull(expiresAt),
    daily_events: license.dailyEventsOverride,
    daily_bytes: license.dailyBytesOverride,
    ...{ customer: license.customer, email: license.email, external_id: license.externalId },
    note: license.note,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]));
}

/** Every act on a license, each behind its name. */
export function LicenseForms({
  license,
  shown,
  now,
  typed,
}: {
  readonly license: LicenseRecord;
  readonly shown: ShownLicense;
  readonly now: number;
  readonly typed: TypedAct | undefined;
}) {
  const common = { path: licensePath(shown.license_id), typed };
  if (shown.status === 'revoked') return <ActForms act={forget} {...common} />;
  const isHeld = shown.holds.length > 0 || shown.payment_hold_from !== null;
  return (
    <Fragment>
      <ActForms act={change} was={whatIs(license, now)} {...common} />
      {[extendBy, rotate, suspend].map((act) => (
        <ActForms act={act} {...common} />
      ))}
      {isHeld ? <ActForms act={resume} first={{ hold: shown.holds[0] ?? 'payment' }} {...common} /> : null}
      {[bind, unbind, block, verifyDomain, revoke, forget].map((act) => (
        <ActForms act={act} {...common} />
      ))}
    </Fragment>
  );
}
