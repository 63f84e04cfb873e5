import { createHash } from 'node:crypto';

const BYTES = 16;
const VERSION = 5;

/**
 * A UUID derived from a name (RFC 9562, 5.5).
 *
 * @param namespace a UUID
 */
export function uuid5(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, BYTES);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (VERSION << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
