import { customerNote, customerNoteRule } from '../../../domain/license/customer.ts';
import { canonicalEmail } from '../../../domain/license/email.ts';
import { refuse } from '../../../domain/refusal.ts';
import { normalizeSiteDomain } from '../../../domain/site/site-domain.ts';
import { areCertificates } from '../../../lib/certificates.ts';
import { MOMENT_FORM, parseDayOrTimestamp } from '../../../lib/timestamp.ts';
import type { Config } from '../../../settings/config.ts';

// Parsers of body fields. Refusals name the malformed field, never its value.

type Malformed = 'INVALID_PAYLOAD' | 'INVALID_QUERY';

const malformed = (field: string, must: string, code: Malformed = 'INVALID_PAYLOAD') =>
  refuse(code, `${field}: ${must}`);

/** Parses one line of text. */
export function lineIn(field: string, value: string, charactersMax: number): string {
  const line = customerNote(value, charactersMax);
  if (line === undefined) throw malformed(field, customerNoteRule(charactersMax));
  return line;
}

/** Parses a date or a timestamp. Returns milliseconds since the Unix epoch. */
export function momentIn(field: string, value: string): number {
  const at = parseDayOrTimestamp(value);
  if (at === undefined) throw malformed(field, `is not ${MOMENT_FORM}`);
  return at;
}

export function emailIn(field: string, value: string): string {
  if (canonicalEmail(value) === undefined) throw malformed(field, 'is not an e-mail address');
  return value.trim();
}

/** Checks certificates in PEM. */
export function certificatesIn(field: string, value: string): string {
  if (!areCertificates(value)) throw malformed(field, 'contains no certificates in PEM');
  return value;
}

/** Normalizes a domain. */
export const domainIn = (
  field: string,
  text: string,
  { stagingDomains }: Pick<Config, 'stagingDomains'>,
  code?: Malformed,
): string => siteIn(field, text, stagingDomains, code).name;

/** Normalizes a domain to register. Development hosts are registered only for surface scans, and then count as a site. */
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
  if (site === undefined) throw malformed(field, 'is not a domain', code);
  return site;
}
