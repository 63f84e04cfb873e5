/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { ActForms, type TypedAct } from '../acts/form.tsx';
import { LICENSE_ACTS } from '../acts/licenses/acts.ts';
import { forget } from '../acts/licenses/ends.ts';
import { resume } from '../acts/licenses/holds.ts';
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

const FIRST: readonly string[] = [extendBy, rotate].map(({ verb }) => verb);
const OTHERS = LICENSE_ACTS.filter(({ verb }) => verb !== change.verb && !FIRST.includes(verb));
/** The final ones last. */
const IN_ORDER = [
  extendBy,
  rotate,
  ...OTHERS.filter(({ isFinal }) => !isFinal),
  ...OTHERS.filter(({ isFinal }) => isFinal),
];

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
      {IN_ORDER.map((act) => {
        if (act.verb !== resume.verb) return <ActForms act={act} {...common} />;
        const first = { hold: shown.holds[0] ?? 'payment' };
        return isHeld && <ActForms act={act} first={first} {...common} />;
      })}
    </Fragment>
  );
}
