import { Fault } from './fault.ts';
import { trimInvisible } from './trim-invisible.ts';

// Files as age writes and reads them (age-encryption.org/v1), whose tool opens them on any host. The library is loaded when it is
// needed: most commands encrypt nothing.

const MAGIC = Buffer.from('age-encryption.org/v1\n');
/** Far more than the stanzas of all recipients that anybody names. */
const HEADER_BYTES_MAX = 64 * 1024;
const HEADER_END = Buffer.from('\n--- ');

/** A chunk belongs to its reader until the next one is read. */
export type Chunks = AsyncIterable<Uint8Array>;

/** How many bytes tell whether a file is encrypted. */
export const AGE_MAGIC_BYTES = MAGIC.length;

export const isAgeFile = (beginning: Uint8Array): boolean =>
  MAGIC.equals(beginning.subarray(0, MAGIC.length));

/**
 * Encrypts for the holders of the identities of the recipients.
 *
 * @param recipients public keys, such as `age1...`
 * @throws Fault when one is none
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
 * Decrypts what one of the identities opens.
 *
 * @param identities private keys, such as `AGE-SECRET-KEY-1...`
 * @throws Fault when one is none; while it decrypts, when none opens the file, or it was altered or cut off
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

/** The identities in the text of a file as `age-keygen` writes it: a line each, beside comments. */
export const identitiesIn = (text: string): string[] =>
  text
    .split('\n')
    .map(trimInvisible)
    .filter((line) => line !== '' && !line.startsWith('#'));

/** The library would collect a header of any length. */
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
