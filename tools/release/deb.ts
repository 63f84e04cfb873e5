import { createHash } from 'node:crypto';
import { gzipSync } from 'fflate';
import { AR_MAGIC, arMember, type Packed, tarOf } from './archive.ts';

// A package of Debian (deb(5)): an ar of a version and two tars.

/** What a package is made of. */
export interface DebParts {
  /** Fields of `control`, in their order; its size is added. */
  readonly control: Readonly<Record<string, string>>;
  /** Programs that dpkg runs, by their names. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly files: readonly Packed[];
  readonly modifiedAtSeconds: number;
}

export function debOf({ control, scripts, files, modifiedAtSeconds }: DebParts): Uint8Array {
  const kibibytes = files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1_024), 0);
  const fields = { ...control, 'Installed-Size': String(kibibytes) };
  const text = (path: string, content: string, isProgram = false): Packed => ({
    path,
    bytes: Buffer.from(content),
    isProgram,
  });
  const parts = [
    text('control', lines(Object.entries(fields).map(([name, value]) => `${name}: ${value}`))),
    text('md5sums', lines(files.map(({ path, bytes }) => `${md5(bytes)}  ${path}`))),
    ...Object.entries(scripts).map(([name, script]) => text(name, script, true)),
  ];
  const packed = (content: readonly Packed[]) =>
    deflated(Buffer.concat([...tarOf(content, modifiedAtSeconds, './')]), modifiedAtSeconds, 1);
  const member = (name: string, bytes: Uint8Array) => arMember(name, bytes, modifiedAtSeconds);
  return Buffer.concat([
    AR_MAGIC,
    member('debian-binary', Buffer.from('2.0\n')),
    member('control.tar.gz', packed(parts)),
    member('data.tar.gz', packed(files)),
  ]);
}

/**
 * Compressed by JavaScript: zlib gives other bytes on other processors.
 *
 * @param level of an executable, the first one takes a third of the time of the last one for 4 % more bytes
 */
export const deflated = (bytes: Uint8Array, modifiedAtSeconds: number, level: 1 | 9): Uint8Array =>
  gzipSync(bytes, { level, mtime: modifiedAtSeconds * 1_000 });

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
/** dpkg compares these for `dpkg --verify`; they guard nothing. */
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
