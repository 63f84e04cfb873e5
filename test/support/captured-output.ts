import fs from 'node:fs';

/** The text written to stdout and stderr. */
export const captured = { 1: '', 2: '' };

const decoders = { 1: new TextDecoder(), 2: new TextDecoder() };

/** The functions of node:fs, with stdout and stderr captured. */
export function writeSync(fd: number, data: string | Uint8Array, offset = 0): number {
  if (fd !== 1 && fd !== 2) return fs.writeSync(fd, data as Uint8Array, offset);
  captured[fd] +=
    typeof data === 'string' ? data : decoders[fd].decode(data.subarray(offset), { stream: true });
  return data.length - offset;
}
