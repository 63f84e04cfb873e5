import { readFileSync } from 'node:fs';
import { ConfigRefused } from './config.ts';
import { SETTINGS } from './settings.ts';

/** Where and how to report a vulnerability of this service, in its operator's words (RFC 9116). */
export interface SecurityTxt {
  readonly text: string;
  /** From when on nobody is to rely on it, in milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** Ten times what anybody has needed. */
const BYTES_MAX = 32 * 1_024;
const CONTACT = /^contact:[ \t]*\S/im;
const EXPIRES = /^expires:[ \t]*(\S+)[ \t]*$/gim;

/**
 * Reads the operator's security.txt, which is served as it is.
 *
 * @throws ConfigRefused when it cannot be read, or lacks what RFC 9116 requires (section 2.5: Contact, and Expires once)
 */
export function loadSecurityTxt(path: string | undefined): SecurityTxt | undefined {
  if (path === undefined) return undefined;
  const text = readText(path);
  if (!CONTACT.test(text)) throw refused(`${path} has no field Contact, which RFC 9116 requires`);
  const [expires, ...more] = [...text.matchAll(EXPIRES)];
  const expiresAt = Date.parse(expires?.[1] ?? '');
  if (more.length > 0 || Number.isNaN(expiresAt))
    throw refused(`${path} needs one field Expires with a date such as 2027-12-31T00:00:00Z`);
  return { text, expiresAt };
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw refused(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (bytes.length > BYTES_MAX) throw refused(`${path} has more than ${BYTES_MAX} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused(`${path} is not UTF-8`);
  }
}

const refused = (problem: string) => new ConfigRefused(`${SETTINGS.securityTxt.env}: ${problem}`);
