import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/** Binds values to the process that made them. */
export interface ProcessBinding {
  bind(value: string): string;
  /** The value; undefined if this process did not create the text. */
  read(text: string): string | undefined;
}

/**
 * Makes a binding that ends with the process: while the service restarts, another user's program could take its port and receive
 * the cookies of browsers. After the restart they open nothing.
 */
export function bindToProcess(): ProcessBinding {
  const key = randomBytes(KEY_BYTES);
  const tagOf = (value: string) => createHmac('sha256', key).update(value).digest('base64url');
  return {
    bind: (value) => `${value}.${tagOf(value)}`,
    read(text) {
      const [value = '', tag = ''] = text.split('.');
      const [given, wanted] = [Buffer.from(tag), Buffer.from(tagOf(value))];
      return given.length === wanted.length && timingSafeEqual(given, wanted) ? value : undefined;
    },
  };
}
