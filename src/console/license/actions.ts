import type { FormWords } from '../../acts/act.ts';
import type { TypedAct } from '../../acts/form.tsx';
import type { LicenseAct } from '../../acts/licenses/acts.ts';
import { bind, block, unbind, verifyDomain } from '../../acts/licenses/domains.ts';
import { forget, revoke } from '../../acts/licenses/ends.ts';
import { resume, suspend } from '../../acts/licenses/holds.ts';
import { rotate } from '../../acts/licenses/keys.ts';
import { change, extendBy } from '../../acts/licenses/terms.ts';
import { grantedTerms } from '../../domain/license/license.ts';
import type { Form } from '../../http/form.ts';
import { isoOrNull } from '../../lib/clock.ts';
import type { Explanation } from '../../operator/explain-license.ts';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { WORDS } from './words.ts';

/** A link on the page of a license that opens the form of an act. */
export interface LicenseAction {
  /** Name in the URL. */
  readonly name: string;
  readonly words: string;
  readonly act: LicenseAct;
  readonly form: FormWords;
  readonly isMain?: boolean;
}

const action = (
  name: string,
  words: string,
  act: LicenseAct,
  { isMain = false, form = act.forms?.[0] ?? {} }: { isMain?: boolean; form?: FormWords } = {},
): LicenseAction => ({ name, words, act, form, isMain });

const CUSTOMER = action('customer', WORDS.editCustomer, change, { form: change.forms?.[1] ?? {} });
const FORGET = action('forget', WORDS.forget, forget);

/** Returns the acts that are possible in the state of a license, main ones first and irreversible ones last. */
export function actionsOf({ license, standing }: Explanation): LicenseAction[] {
  if (standing.state === 'revoked') return [FORGET];
  const isHeld = license.holds.length + license.paymentHolds.length > 0 || license.paymentHoldFrom !== null;
  return [
    ...(standing.expiresAt === null ? [] : [action('extend', WORDS.extend, extendBy, { isMain: true })]),
    action('change', WORDS.changePlan, change, { isMain: true }),
    action('rotate', WORDS.rotate, rotate, { isMain: true }),
    CUSTOMER,
    ...(isHeld ? [action('resume', WORDS.resume, resume)] : []),
    action('suspend', WORDS.suspend, suspend),
    action('bind', WORDS.bind, bind),
    action('unbind', WORDS.unbind, unbind),
    action('block', WORDS.block, block),
    action('verify-domain', WORDS.vouch, verifyDomain),
    FORGET,
    action('revoke', WORDS.revoke, revoke),
  ];
}

/** Returns the action whose form is open: the refused one, otherwise the one named in the URL. */
export function openAction(
  actions: readonly LicenseAction[],
  typed: TypedAct | undefined,
  named: string | undefined,
): LicenseAction | undefined {
  if (typed === undefined) return actions.find(({ name }) => name === named);
  const ofAct = actions.filter(({ act }) => act.verb === typed.verb);
  const isTyped = ({ form }: LicenseAction) =>
    form.fields?.some((name) => (typed.form[`was_${name}`] ?? typed.form[name]) !== undefined) ?? true;
  return ofAct.find(isTyped) ?? ofAct[0];
}

/** Returns the current terms and notes as form values. Blank means the value of the plan. */
export function currentValues(license: LicenseRecord, now: number): Form {
  const { plan, sitesOverride, expiresAt } = grantedTerms(license, now);
  const values = {
    plan,
    sites: sitesOverride,
    expires_at: isoOrNull(expiresAt),
    daily_events: license.dailyEventsOverride,
    daily_bytes: license.dailyBytesOverride,
    customer: license.customer,
    email: license.email,
    external_id: license.externalId,
    note: license.note,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]));
}
