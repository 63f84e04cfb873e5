import { hash } from 'node:crypto';
import { Type as t } from '@sinclair/typebox';
import { licenseName, parseLicenseName } from '../../../domain/license/license-name.ts';
import { notRefused, refuse } from '../../../domain/refusal.ts';
import type { AdminCaller } from '../../../http/admin-caller.ts';
import { type HookContext, requestIdOf } from '../../../http/context.ts';
import { line } from '../../../http/fields.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import type { Clock } from '../../../lib/clock.ts';
import { pathOf } from '../../../lib/url-path.ts';
import { type Act, REASON_CHARACTERS_MAX, type RefusedAct } from '../../../operator/act.ts';
import type { DeskAct, DoneAct } from '../../../operator/act-desk.ts';
import { shownLicense } from '../../../operator/shown-license.ts';
import { type LicenseRecord, readLicenses } from '../../../storage/licenses/licenses.ts';
import type { RepeatableRequest } from '../../../storage/operators/admin-requests.ts';
import type { Parts } from '../../parts.ts';
import { withoutCustomer } from './license.ts';
import { lineIn } from './wanted.ts';

const HEADER_NAME = 'idempotency-key';
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

export const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description: 'unique key of the request: repeated requests take effect once',
  schema: { type: 'string' as const, pattern: KEY_FORM.source },
};

export const reasonField = {
  reason: t.Optional(line('reason for the audit log', REASON_CHARACTERS_MAX)),
};

export const noticesField = {
  notices: t.Array(t.String(), { description: 'notices for the operator, as sentences' }),
};

export const replayedField = {
  replayed: t.Boolean({
    description: 'whether an earlier request with the same Idempotency-Key already made this change',
  }),
};

export type ActingParts = Parts<'clock' | 'desk'>;

export interface AdminRequest extends HookContext {
  readonly caller: AdminCaller;
  readonly body: unknown;
}

/**
 * Returns actor, reason and time of a request.
 *
 * @throws Refusal
 */
export function actOf(clock: Clock, { set, caller, body }: AdminRequest): Act {
  const { reason } = body as { reason?: string };
  return {
    actor: `token:${caller.name}`,
    reason: reason === undefined ? undefined : lineIn('reason', reason, REASON_CHARACTERS_MAX),
    requestId: requestIdOf({ set }),
    now: clock.now(),
  };
}

/**
 * Plans and runs the act of a request.
 *
 * @param isKept whether to store the outcome, so that a repeated request is not run again
 * @throws Refusal
 */
export async function act<Plan extends DeskAct>(
  { desk, clock }: ActingParts,
  { request, set, caller, body }: AdminRequest,
  plan: (act: Act) => Plan | RefusedAct | Promise<Plan | RefusedAct>,
  { isKept = true } = {},
): Promise<DoneAct<Plan>> {
  const by = actOf(clock, { request, set, caller, body });
  const repeated = repeatable(request, caller, body);
  return notRefused(await desk.do(isKept ? repeated : undefined, by.now, () => plan(by)));
}

/**
 * Finds the license named in a path.
 *
 * @throws Refusal
 */
export async function licenseAt({ db }: Parts<'db'>, name: string): Promise<LicenseRecord> {
  const id = parseLicenseName(name);
  const found = id === undefined ? undefined : await readLicenses(db).find(id);
  if (found === undefined)
    throw refuse(
      'LICENSE_NOT_FOUND',
      id === undefined ? 'License IDs look like lic_1.' : `There is no license ${licenseName(id)}.`,
    );
  return found;
}

/** Returns the answer to an act on a license. Tokens without `licenses:read` do not see its customer. */
export async function licenseDone(
  parts: Parts<'clock' | 'db' | 'offer'>,
  { scopes }: AdminCaller,
  name: string,
  { notices, plan }: DoneAct<DeskAct>,
) {
  const license = shownLicense(await licenseAt(parts, name), parts.offer.catalog, parts.clock.now());
  return {
    license: scopes.includes('licenses:read') ? license : withoutCustomer(license),
    notices: [...notices],
    replayed: plan === undefined,
  };
}

/** Normalizes the license name in a path, so that repeated requests are recognized in every spelling. */
const plainPath = (path: string): string =>
  path.replace(/^(.*\/licenses\/)([^/]+)(\/[^/]+)$/, (whole, before, name, after) => {
    const id = parseLicenseName(decoded(name));
    return id === undefined ? whole : before + licenseName(id) + after;
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function repeatable(
  { headers, url }: Request,
  { tokenId }: AdminCaller,
  body: unknown,
): RepeatableRequest | undefined {
  const key = headers.get(HEADER_NAME);
  if (key === null) return undefined;
  if (!KEY_FORM.test(key))
    throw refuse(
      'INVALID_PAYLOAD',
      'The header Idempotency-Key takes 1 to 255 printable ASCII characters without blanks.',
    );
  const hashed = (text: string) => hash('sha256', text, 'base64url');
  return {
    tokenId,
    path: plainPath(pathOf(url)),
    keyHash: hashed(key),
    bodyHash: hashed(canonicalJson(body)),
  };
}
