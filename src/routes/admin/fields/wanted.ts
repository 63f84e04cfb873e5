import {
  CUSTOMER_CHARACTERS_MAX,
  EXTERNAL_ID_CHARACTERS_MAX,
  NOTE_CHARACTERS_MAX,
} from '../../../domain/license/customer.ts';
import { canonicalEmail } from '../../../domain/license/email.ts';
import { refuse } from '../../../domain/refusal.ts';
import { normalizeSiteDomain } from '../../../domain/site/site-domain.ts';
import { MOMENT_FORM, parseDayOrTimestamp } from '../../../lib/timestamp.ts';
import type { Config } from '../../../settings/config.ts';
import { lineIn } from './act.ts';

// What the fields of a body mean. What means nothing is refused by its field, never by what stood there.

type Malformed = 'INVALID_PAYLOAD' | 'INVALID_QUERY';

const malformed = (field: string, must: string, code: Malformed = 'INVALID_PAYLOAD') =>
  refuse(code, `${field}: ${must}`);

/** Milliseconds since the Unix epoch. */
export function momentIn<Value extends string | null | undefined>(
  field: string,
  value: Value,
): number | Exclude<Value, string> {
  if (typeof value !== 'string') return value as Exclude<Value, string>;
  const at = parseDayOrTimestamp(value);
  if (at === undefined) throw malformed(field, `is not ${MOMENT_FORM}`);
  return at;
}

interface Notes {
  readonly note?: string | null;
  readonly customer?: string | null;
  readonly email?: string | null;
  readonly external_id?: string | null;
}

/** What an operator notes of a license; undefined = left out, null = taken away. */
export function notesIn({ note, customer, email, external_id: externalId }: Notes) {
  if (typeof email === 'string' && canonicalEmail(email) === undefined)
    throw malformed('email', 'is no e-mail address');
  return {
    note: lineIn('note', note, NOTE_CHARACTERS_MAX),
    customer: lineIn('customer', customer, CUSTOMER_CHARACTERS_MAX),
    email: typeof email === 'string' ? email.trim() : email,
    externalId: lineIn('external_id', externalId, EXTERNAL_ID_CHARACTERS_MAX),
  };
}

/** A domain as it is kept. */
export const domainIn = (
  field: string,
  text: string,
  { stagingDomains }: Pick<Config, 'stagingDomains'>,
  code?: Malformed,
): string => siteIn(field, text, stagingDomains, code).name;

/** The same for one that is registered: a development host needs that for surface scans alone, and takes up a site then. */
export function siteDomainIn(
  field: string,
  text: string,
  { stagingDomains, scanAllowPrivate }: Pick<Config, 'stagingDomains' | 'scanAllowPrivate'>,
): string {
  const { name, counted } = siteIn(field, text, stagingDomains);
  if (!counted && !scanAllowPrivate)
    throw malformed(field, 'is a development host, which needs no registration');
  return name;
}

function siteIn(field: string, text: string, stagingDomains: readonly string[], code?: Malformed) {
  const site = normalizeSiteDomain(text, stagingDomains);
  if (site === undefined) throw malformed(field, 'is no domain', code);
  return site;
}
