import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Fault } from '../../lib/fault.ts';
import { type NoteSigner, noteSigner, parseVerifierKey } from '../../lib/signed-note.ts';
import { wordsFor } from '../engine/trouble.ts';

/** What a key signs. Purposes never share keys: `mirror` signs bundles of feeds, `evidence` the histories of licenses. */
export type SigningPurpose = 'mirror' | 'evidence';

const OF_OTHERS = 0o007;
const FILE_BYTES_MAX = 16 * 1_024;
const PURPOSE = /^purpose: (.+)$/m;
const VKEY = /^vkey: (.+)$/m;
const PEM = /^-----BEGIN PRIVATE KEY-----\n[^-]+-----END PRIVATE KEY-----$/m;

/**
 * Creates a key in a file with mode 0600. A key is never replaced: its signatures could no longer be extended.
 * The file is a PKCS#8 PEM with lines before it, which other tools ignore (RFC 7468, 5.2). They contain what PEM has no place
 * for: the purpose, and the vkey with the name, which cannot be changed alone, because the vkey's id is a hash over name and
 * key.
 *
 * @param name for verifiers, see `isKeyName`
 * @throws Fault when the name is invalid, the path exists, or the file cannot be written
 */
export function createSigningKey(path: string, purpose: SigningPurpose, name: string): NoteSigner {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signer = noteSigner(name, privateKey);
  const text = [
    'A private key of Redoubt: anyone who has it can sign as you. Verifiers require only the vkey.',
    `purpose: ${purpose}`,
    `vkey: ${signer.verifier.vkey}`,
    privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ].join('\n');
  try {
    writeNew(path, text);
  } catch (error) {
    throw new Fault(`cannot write the key to ${path}: ${wordsFor(error)}`);
  }
  return signer;
}

/**
 * Reads a key that {@link createSigningKey} made.
 *
 * @param purpose the required purpose; omitted = any
 * @throws Fault when it is missing, damaged or for another purpose, or every user of the host could use it
 */
export function readSigningKey(path: string, purpose?: SigningPurpose): NoteSigner {
  const { text, isOpen } = keyFile(path);
  const [, told] = PURPOSE.exec(text) ?? [];
  const verifier = parseVerifierKey(VKEY.exec(text)?.[1] ?? '');
  const privateKey = privateKeyIn(text);
  if (told === undefined || verifier === undefined || privateKey === undefined)
    throw new Fault(`${path} is not a key of "redoubt keys create". Create one with it, or restore this one`);
  if (isOpen) throw new Fault(`${path} is readable by every user of this host. Run chmod 600 ${path}`);
  if (purpose !== undefined && told !== purpose)
    throw new Fault(`${path} is a key for another purpose than ${purpose}. Use one that was created for it`);
  const signer = noteSigner(verifier.name, privateKey);
  if (signer.verifier.vkey !== verifier.vkey)
    throw new Fault(`${path} is damaged: its vkey belongs to another key. Restore it from a backup`);
  return signer;
}

/** The path may lead to any type of file until it was checked. Its group may read it, as with a TLS key. */
function keyFile(path: string): { readonly text: string; readonly isOpen: boolean } {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > FILE_BYTES_MAX) throw new Fault(`${path} is not a key file`);
    return { text: readFileSync(path, 'utf8'), isOpen: (found.mode & OF_OTHERS) !== 0 };
  } catch (error) {
    if (error instanceof Fault) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'no such file. Use the file that the key was written to' : wordsFor(error);
    throw new Fault(`cannot read the key ${path}: ${why}`);
  }
}

/** Undefined for other content than an Ed25519 key. */
function privateKeyIn(text: string) {
  try {
    const key = createPrivateKey(PEM.exec(text)?.[0] ?? '');
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
