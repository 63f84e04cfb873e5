import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BLOCK_BYTES, END, paddingAfter, tarHeader, tarHeaderIn } from '../../src/lib/tar.ts';

/** The members of a backup, by name. */
export function membersOf(path: string): Map<string, Buffer> {
  const bytes = readFileSync(path);
  const members = new Map<string, Buffer>();
  for (let at = 0; ; ) {
    const header = tarHeaderIn(bytes.subarray(at, at + BLOCK_BYTES));
    if (header === undefined) return members;
    at += BLOCK_BYTES;
    members.set(header.name, bytes.subarray(at, at + header.bytes));
    at += header.bytes + paddingAfter(header.bytes).length;
  }
}

/**
 * A backup of exactly these members; their checksums in the manifest are corrected, so that only the change
 * itself is wrong.
 */
export function backupOf(
  members: ReadonlyMap<string, Uint8Array>,
  change: (manifest: Record<string, unknown>) => void = () => {},
): Buffer {
  const manifest = JSON.parse(Buffer.from(members.get('manifest.json') ?? '{}').toString());
  const rest = [...members].filter(([name]) => name !== 'manifest.json');
  manifest.members = rest.map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  change(manifest);
  const all: [string, Uint8Array][] = [['manifest.json', Buffer.from(JSON.stringify(manifest))], ...rest];
  const blocks = all.flatMap(([name, bytes]) => [
    tarHeader({ name, bytes: bytes.length, modifiedAtSeconds: 0, isPrivate: true }),
    bytes,
    paddingAfter(bytes.length),
  ]);
  return Buffer.concat([...blocks, END]);
}
