import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { DAY_MS, iso } from '../lib/clock.ts';
import { fileWords } from '../lib/file-trouble.ts';
import { parseTimestamp } from '../lib/timestamp.ts';
import { type Config, ConfigRefused } from './config.ts';
import { SETTINGS } from './settings.ts';

/** The security.txt of this service (RFC 9116), which tells where to report vulnerabilities. */
export interface SecurityTxt {
  /** The text at a time in milliseconds since the Unix epoch. */
  readonly textAt: (now: number) => string;
  /** When it expires, in milliseconds since the Unix epoch; undefined if it is renewed daily. */
  readonly expiresAt: number | undefined;
}

/** Ten times the size of the longest in use. */
const BYTES_MAX = 32 * 1_024;
/** A URI, as RFC 9116 requires (section 2.5.3). */
const CONTACT = /^contact:[ \t]*[a-z][a-z0-9+.-]*:\S/im;
const EXPIRES = /^expires:(.*)$/gim;
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const NOT_TEXT = /\ufeff|[^\P{Cc}\t\r\n]/u;

/**
 * Reads the operator's security.txt, which is served unchanged, or generates one from a contact.
 *
 * @throws ConfigRefused if it cannot be read or lacks fields that RFC 9116 requires (section 2.5: Contact, and Expires once)
 */
export function loadSecurityTxt({
  securityTxt: path,
  securityContact: contact,
}: Pick<Config, 'securityTxt' | 'securityContact'>): SecurityTxt | undefined {
  if (path !== undefined && contact !== undefined)
    throw new ConfigRefused(
      `${SETTINGS.securityTxt.env} and ${SETTINGS.securityContact.env} are both set. Unset one of them`,
    );
  if (contact !== undefined) return { textAt: (now) => textOfContact(contact, now), expiresAt: undefined };
  if (path === undefined) return undefined;
  const text = readText(path);
  if (!CONTACT.test(text))
    throw refused(
      `${path} has no Contact field with a URI such as mailto:security@example.com, which RFC 9116 requires`,
    );
  const [expires, ...more] = Array.from(text.matchAll(EXPIRES), ([, moment = '']) => moment.trim());
  // RFC 9116 allows only the form of RFC 3339.
  const expiresAt = RFC_3339.test(expires ?? '') ? parseTimestamp(expires ?? '') : undefined;
  if (more.length > 0 || expiresAt === undefined)
    throw refused(`${path} requires one Expires field with a time such as 2027-12-31T00:00:00Z`);
  return { textAt: () => text, expiresAt };
}

/** RFC 9116 recommends less than a year (section 2.5.5). */
const CONTACT_DAYS = 180;

/** Unchanged within a UTC day, so that its ETag stays the same. */
function textOfContact(contact: string, now: number): string {
  const uri = /^[a-z]+:/.test(contact) ? contact : `mailto:${contact}`;
  const today = now - (now % DAY_MS);
  return `Contact: ${uri}\nExpires: ${iso(today + CONTACT_DAYS * DAY_MS)}\n`;
}

function readText(path: string): string {
  const bytes = readBytes(path);
  if (!isUtf8(bytes)) throw refused(`${path} is not UTF-8`);
  const text = bytes.toString();
  if (NOT_TEXT.test(text)) throw refused(`${path} contains a byte order mark or control characters`);
  return text;
}

/** Does not block on other kinds of files, such as a pipe without a writer. */
function readBytes(path: string): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile()) throw refused(`${path} is not a file`);
    if (stat.size > BYTES_MAX) throw refused(`${path} is larger than ${BYTES_MAX} bytes`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof ConfigRefused) throw error;
    throw refused(`cannot read ${path}: ${fileWords(error as NodeJS.ErrnoException)}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const refused = (problem: string) => new ConfigRefused(`${SETTINGS.securityTxt.env}: ${problem}`);
