import type { Refusal } from '../../domain/refusal.ts';
import { TAXII_MEDIA_TYPE } from '../../domain/threat/taxii.ts';
import { complete, HEADER, type HookContext } from '../../http/context.ts';
import type { FailureRules } from '../../http/failures.ts';
import { STATUS_OF } from '../../http/statuses.ts';

/** The path of the TAXII discovery resource. */
export const TAXII = '/taxii2/';

/** Makes clients ask for a password. */
const CHALLENGES = 'Basic realm="Redoubt, with a license key as the password", Bearer';

/** Renders refusals below the path of TAXII as error messages (TAXII 2.1, 3.6.1). */
export const taxiiFailures: FailureRules['pageAt'] = (path) =>
  `${path}/`.startsWith(TAXII) ? taxiiError : undefined;

function taxiiError(set: HookContext['set'], { refused, message }: Refusal): Response {
  const status = STATUS_OF[refused];
  set.headers['content-type'] = TAXII_MEDIA_TYPE;
  if (set.headers['www-authenticate'] !== undefined) set.headers['www-authenticate'] = CHALLENGES;
  const body = { title: message, error_code: refused, http_status: String(status) };
  return complete(set, status, JSON.stringify({ ...body, error_id: set.headers[HEADER.requestId] }));
}
