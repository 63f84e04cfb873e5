import { refuse } from '../../domain/refusal.ts';

const TYPE = 'application/taxii+json';
const VERSION = '2.1';
/** Maximum number of entries of the header that are parsed. */
const ENTRIES_MAX = 16;

/**
 * Refuses clients that do not accept TAXII 2.1. A media type without a version means the newest.
 *
 * @throws Refusal
 */
export function checkAccept({ headers }: Request): void {
  const accept = headers.get('accept');
  if (accept === null || accept.split(',', ENTRIES_MAX).some(isTaken)) return;
  throw refuse('NOT_ACCEPTABLE', `Accept ${TYPE};version=${VERSION}.`);
}

/** Whether a body is declared as TAXII 2.1. */
export const isTaxii = (contentType: string | null): boolean =>
  contentType !== null && typeOf(contentType) === TYPE && isVersion(contentType);

/** An entry with weight 0, which the client does not accept. */
const REFUSED = /;\s*q\s*=\s*0(?:\.0*)?\s*$/i;

function isTaken(entry: string): boolean {
  if (REFUSED.test(entry)) return false;
  const type = typeOf(entry);
  return type === '*/*' || type === 'application/*' || (type === TYPE && isVersion(entry));
}

const typeOf = (entry: string): string => (entry.split(';', 1)[0] ?? '').trim().toLowerCase();

/** White space around parameters and quotes around their values are allowed. */
function isVersion(entry: string): boolean {
  const parameters = entry.toLowerCase().replace(/[\s"]/g, '').split(';').slice(1);
  const version = parameters.find((parameter) => parameter.startsWith('version='));
  return version === undefined || version === `version=${VERSION}`;
}
