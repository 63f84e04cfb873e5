import { sign, verify } from 'node:crypto';
import { iso, MINUTE_MS } from '../../lib/clock.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { parseTimestamp } from '../../lib/timestamp.ts';
import { isObject } from '../credential/jws.ts';
import type { Ed25519Key } from '../signing/ed25519-key.ts';
import type { TrustedKey } from '../signing/published-keys.ts';

// The form of Keygen's license files (keygen.sh/docs/api/cryptography), whose published verifiers can check the signature of ours.

/** The content of a license file. It never contains a key, a name or an e-mail. All times are ISO 8601. */
export interface LicenseFile {
  /** Such as `lic_1`. */
  readonly license: string;
  readonly plan: string;
  readonly modules: readonly string[];
  /** Those that are registered. */
  readonly domains: readonly string[];
  readonly issued: string;
  readonly expiry: string;
  /** The key that signed it. */
  readonly kid: string;
  /** Unique to this file. */
  readonly serial: string;
}

/** Identifies the file format. */
export const LICENSE_FILE_BEGINNING = '-----BEGIN LICENSE FILE-----';
const END = '-----END LICENSE FILE-----';
const ARMOUR = new RegExp(`^${LICENSE_FILE_BEGINNING}\n([A-Za-z0-9+/=\n]+)\n${END}\n*$`);
const LINE_CHARACTERS = 64;
const ALG = 'base64+ed25519';
/** Signed before the text of `enc`, so that no signature of another file format counts. */
const SIGNED_PREFIX = 'license/';
const FORMAT = 'redoubt-license/1';
const ANY_FORMAT = /^redoubt-license\/\d{1,9}$/;
const DEPTH_MAX = 4;
const CLOCK_MS_OFF_MAX = 5 * MINUTE_MS;

/** Limit for writing and reading: enough for more domains than a license can have sites. */
export const LICENSE_FILE_BYTES_MAX = 1_024 * 1_024;

/** Signs a license file; the same facts always become the same file. */
export function signLicenseFile(facts: Omit<LicenseFile, 'kid'>, { kid, privateKey }: Ed25519Key): string {
  const enc = base64(JSON.stringify({ format: FORMAT, ...facts, kid }));
  const sig = sign(null, Buffer.from(SIGNED_PREFIX + enc), privateKey).toString('base64');
  const lines = base64(JSON.stringify({ enc, sig, alg: ALG })).match(
    new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g'),
  );
  return `${[LICENSE_FILE_BEGINNING, ...(lines ?? []), END].join('\n')}\n`;
}

/**
 * Reads and verifies a license file.
 *
 * @param keys of the purpose `license`
 * @returns its content, or the problem, in a sentence that follows its name
 */
export function readLicenseFile(
  text: string,
  keys: readonly TrustedKey[],
  nowMs: number,
): LicenseFile | { readonly refused: string } {
  const body = ARMOUR.exec(text.replaceAll('\r\n', '\n'))?.[1]?.replaceAll('\n', '');
  const envelope = objectIn(body);
  const { enc, sig, alg } = envelope ?? {};
  if (typeof enc !== 'string' || typeof sig !== 'string' || typeof alg !== 'string')
    return { refused: 'it is not a complete license file. Copy it again' };
  if (alg !== ALG) return { refused: NEWER };
  const facts = objectIn(enc);
  const key = keys.find(({ kid }) => kid === facts?.kid);
  if (facts === undefined || key === undefined)
    return {
      refused:
        'it is not signed by any of the keys: it belongs to another installation, or the keys are outdated',
    };
  const signature = bytesOf(sig);
  if (!signature || !verify(null, Buffer.from(SIGNED_PREFIX + enc), key.publicKey, signature))
    return {
      refused: 'it does not match its signature. Copy it again. If that does not help, do not use it',
    };
  return refusalOf(facts, key, nowMs) ?? (facts as unknown as LicenseFile);
}

const NEWER = 'it was created by a newer redoubt. Use that version, or a newer one';

/** Of what was signed. */
function refusalOf(facts: Readonly<Record<string, unknown>>, key: TrustedKey, nowMs: number) {
  if (key.isRevoked) return { refused: 'the key that signed it was revoked. Ask for another file' };
  if (facts.format !== FORMAT)
    return { refused: ANY_FORMAT.test(String(facts.format)) ? NEWER : 'it is not a license file' };
  const { notAfter } = key;
  if (notAfter !== null && notAfter <= nowMs)
    return { refused: `the key that signed it expired at ${iso(notAfter)}. Ask for another file` };
  const [issued = Number.NaN, expiry = Number.NaN] = [facts.issued, facts.expiry].map((each) =>
    parseTimestamp(String(each)),
  );
  if (!(issued <= nowMs + CLOCK_MS_OFF_MAX))
    return { refused: 'it was issued in the future. Set the clock of this host' };
  if (!(nowMs < expiry))
    return {
      refused: `it expired at ${String(facts.expiry)}. Ask for another file, or set this host's clock`,
    };
  return undefined;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Undefined for invalid or non-canonical base64. Node decodes leniently, so the bytes are encoded again to compare. */
function bytesOf(text: string | undefined): Buffer | undefined {
  const bytes = text === undefined ? undefined : Buffer.from(text, 'base64');
  return bytes?.toString('base64') === text ? bytes : undefined;
}

function objectIn(text: string | undefined) {
  const read = parseStrictJson(bytesOf(text)?.toString() ?? '', DEPTH_MAX);
  return isObject(read) ? read : undefined;
}
