import { licenseStanding } from '../domain/license/license.ts';
import { refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { checker } from '../http/schema-check.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Act, PlannedAct, RefusedAct } from '../operator/act.ts';
import { extendLicense } from '../operator/extend-license.ts';
import { LICENSE_ACTS } from '../routes/admin/license-acts.ts';
import { planRotation, Rotation } from '../routes/admin/license-rotate.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { bodyOf } from './form-body.ts';
import { TEXTS } from './texts.ts';
import type { ConsoleParts } from './visit.ts';

const WORDS = TEXTS.license;

/** An act on one license, by the form of its page. */
export interface LicensePageAct {
  /** The last piece of its path. */
  readonly verb: string;
  readonly isReasonNeeded: boolean;
  /** Where it shows a key: what is said of it. */
  readonly keyWords?: string;
  /** @throws Refusal */
  plan(
    license: LicenseRecord,
    form: Form,
    by: Act,
    parts: ConsoleParts,
  ): Promise<(PlannedAct & { readonly key?: string }) | RefusedAct>;
}

const REASON_NEEDED: readonly string[] = ['suspend', 'revoke'];
/** Nothing takes these back, so that a form says once more that it is meant. */
const FINAL: readonly string[] = ['revoke', 'forget'];

function requireSure(verb: string, { sure }: Form): void {
  if (FINAL.includes(verb) && sure !== '1') throw refuse('INVALID_PAYLOAD', WORDS.notSure);
}

const asByApi: readonly LicensePageAct[] = LICENSE_ACTS.map(({ verb, body, plan }) => {
  const check = checker(body);
  return {
    verb,
    isReasonNeeded: REASON_NEEDED.includes(verb),
    async plan(license, form, by, parts) {
      requireSure(verb, form);
      return plan(license, check(bodyOf(body, form)), by, parts);
    },
  };
});

const checkRotation = checker(Rotation);
const rotate: LicensePageAct = {
  verb: 'rotate',
  isReasonNeeded: false,
  keyWords: WORDS.rotate.rotated,
  plan: async (license, form, by, parts) =>
    planRotation(parts, license, checkRotation(bodyOf(Rotation, form)), by),
};

const PERIODS: readonly string[] = WORDS.extend.periods.map(([days]) => days);
const extend: LicensePageAct = {
  verb: 'extend',
  isReasonNeeded: false,
  async plan(license, { days = '' }, by, { offer }) {
    const { expiresAt } = licenseStanding(license, offer.catalog, by.now);
    if (expiresAt === null) return { refused: WORDS.extend.hasNoEnd };
    if (!PERIODS.includes(days)) throw refuse('INVALID_PAYLOAD', `${WORDS.extend.by}: ${PERIODS.join(', ')}`);
    return extendLicense(license, Math.max(expiresAt, by.now) + Number(days) * DAY_MS, by);
  },
};

/** Every act on one license. */
export const LICENSE_PAGE_ACTS: readonly LicensePageAct[] = [...asByApi, rotate, extend];
