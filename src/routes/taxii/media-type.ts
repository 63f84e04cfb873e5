import { refuse } from '../../domain/refusal.ts';

const TYPE = 'application/taxii+json';
const VERSION = '2.1';
/** Entries of a header that are read. */
const ENTRIES_MAX = 16;

/**
 * Refuses a client that takes another version of TAXII, or no TAXII. Without a version, the newest is meant.
 *
 * @throws Refusal
 */
export function checkAccept({ headers }: Request): void {
  const accept = headers.get('accept');
  if (accept === null || accept.split(',', ENTRIES_MAX).some(isTaken)) return;
  throw refuse('NOT_ACCEPTABLE', `Accept ${TYPE};version=${VERSION}.`);
}

/** Whether a body is declared as TAXII. */
export const isTaxii = (contentType: string | null): boolean =>
  contentType !== null && typeOf(contentType) === TYPE && isVersion(contentType);

/** With a weight of 0, a client refuses a type. */
const REFUSED = /;\s*q\s*=\s*0(?:\.0*)?\s*$/i;

function isTaken(entry: string): boolean {
  if (REFUSED.test(entry)) return false;
  const type = typeOf(entry);
  return type === '*/*' || type === 'application/*' || (type === TYPE && isVersion(entry));
}

const typeOf = (entry: string): string => (entry.split(';', 1)[0] ?? '').trim().toLowerCase();

/** Parameters may have blanks around them, and quotes around their values. */
function isVersion(entry: string): boolean {
  const parameters = entry.toLowerCase().replace(/[\s"]/g, '').split(';').slice(1);
  const version = parameters.find((parameter) => parameter.startsWith('version='));
  return version === undefined || version === `version=${VERSION}`;
}
