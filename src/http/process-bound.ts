import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/** Signs values with a key that only this process knows. */
export interface ProcessBinding {
  bind(value: string): string;
  /** The signed value; undefined if this process did not sign the text. */
  read(text: string): string | undefined;
}

/**
 * Creates a binding that is valid until the process ends. While the service restarts, another user's program could take its
 * port and receive cookies from browsers; after the restart they are worthless.
 */
export function bindToProcess(): ProcessBinding {
  const key = randomBytes(KEY_BYTES);
  const tagOf = (value: string) => createHmac('sha256', key).update(value).digest('base64url');
  return {
    bind: (value) => `${value}.${tagOf(value)}`,
    read(text) {
      const [value = '', tag = ''] = text.split('.');
      const [actual, expected] = [Buffer.from(tag), Buffer.from(tagOf(value))];
      return actual.length === expected.length && timingSafeEqual(actual, expected) ? value : undefined;
    },
  };
}
