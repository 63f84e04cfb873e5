import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { Fault } from './fault.ts';
import { printable } from './printable.ts';

// Signed texts that people can read and other tools can verify: C2SP signed-note (c2sp.org/signed-note), only with Ed25519.

/** A public key in the form for verifiers. */
export interface VerifierKey {
  readonly name: string;
  /** The first four bytes of a hash over name and key. Identifies the key; not authenticated. */
  readonly id: Uint8Array;
  readonly publicKey: KeyObject;
  /** All of this in one line, `name+id+key`. */
  readonly vkey: string;
}

export interface NoteSigner {
  readonly verifier: VerifierKey;
  readonly privateKey: KeyObject;
}

/** Why a note cannot be trusted. */
export type NoteRefusal =
  /** Violates the format, or exceeds a limit. */
  | 'malformed'
  /** Not signed by the trusted key. */
  | 'unknown_signer'
  /** The signature by the trusted key is wrong. */
  | 'bad_signature';

/** Longer notes are refused unread. */
export const NOTE_BYTES_MAX = 1_024 * 1_024;
/** The format requires support for at least 16. */
const SIGNATURES_MAX = 100;
const ED25519 = 1;
const PUBLIC_KEY_BYTES = 32;
const ID_BYTES = 4;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const EM_DASH = '—';

/** As in the format, without ASCII control characters. */
const NAME = /^[^\p{White_Space}+]+$/u;

/** Whether a key may have this name. Names are shown to people. The format recommends names such as `example.com/feeds`. */
export const isKeyName = (name: string): boolean => NAME.test(name) && printable(name) === name;

/** Parses a verifier key, `name+hex(id)+base64(type, key)`; undefined if it is malformed or not an Ed25519 key. */
export function parseVerifierKey(vkey: string): VerifierKey | undefined {
  const [name = '', , ...rest] = vkey.split('+');
  // Base64 may contain a plus sign, too.
  const typed = Buffer.from(rest.join('+'), 'base64');
  if (!isKeyName(name) || typed.length !== 1 + PUBLIC_KEY_BYTES) return undefined;
  const verifier = verifierOf(name, typed.subarray(1));
  // Encoded again and compared, which checks type and ID, and that the encoding is canonical.
  return verifier.vkey === vkey ? verifier : undefined;
}

/**
 * A signer for a private key.
 *
 * @param privateKey an Ed25519 key
 * @throws Fault for an invalid name or another type of key
 */
export function noteSigner(name: string, privateKey: KeyObject): NoteSigner {
  if (!isKeyName(name)) throw new Fault('a key name cannot contain spaces, control characters or plus signs');
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Fault('the key is not an Ed25519 key');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { verifier: verifierOf(name, Buffer.from(x, 'base64url')), privateKey };
}

/**
 * Signs a text. Signatures are deterministic.
 *
 * @param text ends with a newline and contains no other ASCII control characters
 * @returns the text, a blank line, and a line with the signature
 * @throws Fault for an invalid text
 */
export function signNote(text: string, { verifier, privateKey }: NoteSigner): string {
  const bytes = Buffer.from(text);
  if (!text.isWellFormed() || !text.endsWith('\n') || hasControls(bytes))
    throw new Fault('a signed text must end with a newline and contain no other control characters');
  const signature = Buffer.concat([verifier.id, sign(null, bytes, privateKey)]);
  const note = `${text}\n${EM_DASH} ${verifier.name} ${signature.toString('base64')}\n`;
  if (Buffer.byteLength(note) > NOTE_BYTES_MAX)
    throw new Fault(`a signed text can have at most ${NOTE_BYTES_MAX} bytes`);
  return note;
}

/**
 * Returns the text of a note that the trusted key has signed. Signatures by other keys are ignored; a single wrong signature by
 * the trusted key makes the note invalid.
 *
 * @param note untrusted bytes
 */
export function openNote(
  note: Uint8Array,
  trusted: VerifierKey,
): { readonly text: string } | { readonly refused: NoteRefusal } {
  const parts = partsOf(note);
  if (parts === undefined) return { refused: 'malformed' };
  const own = parts.signatures.filter(
    ({ name, bytes }) => name === trusted.name && trusted.id.every((byte, at) => bytes[at] === byte),
  );
  if (own.length === 0) return { refused: 'unknown_signer' };
  const areValid = own.every(({ bytes }) =>
    verify(null, parts.signed, trusted.publicKey, bytes.subarray(ID_BYTES)),
  );
  return areValid ? { text: parts.text } : { refused: 'bad_signature' };
}

/** Undefined if the note violates the format. */
function partsOf(note: Uint8Array) {
  if (note.length > NOTE_BYTES_MAX || hasControls(note)) return undefined;
  const whole = textOf(note);
  // The text may contain blank lines itself; the last one ends it.
  const blank = whole?.lastIndexOf('\n\n') ?? -1;
  if (whole === undefined || blank === -1 || !whole.endsWith('\n')) return undefined;
  const text = whole.slice(0, blank + 1);
  const lines = whole.slice(blank + 2, -1).split('\n', SIGNATURES_MAX + 1);
  if (lines.length > SIGNATURES_MAX) return undefined;
  const signatures = lines.map(signatureIn).filter((signature) => signature !== undefined);
  if (signatures.length < lines.length) return undefined;
  return { text, signed: note.subarray(0, Buffer.byteLength(text)), signatures };
}

/** The name of a key, and its ID with the signature. */
function signatureIn(line: string): { name: string; bytes: Uint8Array } | undefined {
  const [dash, name = '', base64 = '', ...more] = line.split(' ');
  const bytes = Buffer.from(base64, 'base64');
  // Node decodes base64 leniently, so the result must encode to the same text.
  const isExact = bytes.toString('base64') === base64 && bytes.length > ID_BYTES;
  return dash === EM_DASH && NAME.test(name) && isExact && more.length === 0 ? { name, bytes } : undefined;
}

/**
 * The verifier key of a public key.
 *
 * @param name see {@link isKeyName}
 * @param key 32 bytes, Ed25519
 */
export function verifierOf(name: string, key: Uint8Array): VerifierKey {
  const typed = Buffer.concat([Uint8Array.of(ED25519), key]);
  const hash = createHash('sha256').update(`${name}\n`).update(typed).digest();
  const id = hash.subarray(0, ID_BYTES);
  const x = Buffer.from(key).toString('base64url');
  return {
    name,
    id,
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    vkey: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
  };
}

const hasControls = (bytes: Uint8Array): boolean => bytes.some((byte) => byte < SPACE && byte !== NEWLINE);

/** Undefined if the bytes are not valid UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark is part of the signed text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
