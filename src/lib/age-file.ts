import { Fault } from './fault.ts';
import { trimInvisible } from './trim-invisible.ts';

// Encrypted files in the format of age (age-encryption.org/v1). The library is loaded on first use, because most commands do not
// need it.

const MAGIC = Buffer.from('age-encryption.org/v1\n');
/** Far more than the stanzas of all recipients need. */
const HEADER_BYTES_MAX = 64 * 1024;
const HEADER_END = Buffer.from('\n--- ');

/** Each chunk is valid only until the next one is read. */
export type Chunks = AsyncIterable<Uint8Array>;

/** Length of the prefix that identifies an encrypted file. */
export const AGE_MAGIC_BYTES = MAGIC.length;

export const isAgeFile = (beginning: Uint8Array): boolean =>
  MAGIC.equals(beginning.subarray(0, MAGIC.length));

/**
 * Encrypts for recipients.
 *
 * @param recipients public keys, such as `age1...`
 * @throws Fault if one is invalid
 */
export async function encryptFor(recipients: readonly string[]): Promise<(chunks: Chunks) => Chunks> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    orFault(`"${recipient}" is not an age recipient such as age1...`, () =>
      encrypter.addRecipient(recipient),
    );
  }
  return async function* (chunks) {
    yield* chunksOf(await encrypter.encrypt(streamOf(chunks)));
  };
}

/**
 * Decrypts with the first identity that fits.
 *
 * @param identities private keys, such as `AGE-SECRET-KEY-1...`
 * @throws Fault if one is invalid; while decrypting, if none fits, or the file was altered or truncated
 */
export async function decryptBy(identities: readonly string[]): Promise<(chunks: Chunks) => Chunks> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) {
    orFault('the identity file has a line that is not an age identity such as AGE-SECRET-KEY-1...', () =>
      decrypter.addIdentity(identity),
    );
  }
  return async function* (chunks) {
    let isOpened = false;
    try {
      const plain = await decrypter.decrypt(streamOf(boundedHeader(chunks)));
      isOpened = true;
      yield* chunksOf(plain);
    } catch (error) {
      if (error instanceof Fault) throw error;
      throw new Fault(
        isOpened
          ? 'it was altered or truncated: decryption failed. Use another copy'
          : 'no identity can decrypt it. Use the file with the right one',
      );
    }
  };
}

/** The identities in a file created by `age-keygen`: one per line, without comments. */
export const identitiesIn = (text: string): string[] =>
  text
    .split('\n')
    .map(trimInvisible)
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Limits the header, which the library would buffer at any length. */
async function* boundedHeader(chunks: Chunks): Chunks {
  let header: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (header === undefined) {
      yield chunk;
      continue;
    }
    header = Buffer.concat([header, chunk]);
    const isWhole = Buffer.from(header.buffer, header.byteOffset, header.length).includes(HEADER_END);
    if (!isWhole && header.length < HEADER_BYTES_MAX) continue;
    if (!isWhole) throw new Fault('it is not a valid age file. Use another copy');
    yield header;
    header = undefined;
  }
  if (header !== undefined) yield header;
}

function streamOf(chunks: Chunks): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(Uint8Array.from(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): Chunks {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function orFault(problem: string, work: () => void): void {
  try {
    work();
  } catch {
    throw new Fault(problem);
  }
}
