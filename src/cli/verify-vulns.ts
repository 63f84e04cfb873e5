import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { iso } from '../lib/clock.ts';
import type { VerifierKey } from '../lib/signed-note.ts';
import { BLOCK_BYTES, tarHeaderIn } from '../lib/tar.ts';
import { MANIFEST_FILE } from '../mirror/bundle/manifest.ts';
import { openBundle } from '../mirror/bundle/open.ts';
import { beginningOf } from '../storage/signing/ordinary-file.ts';
import { CommandRefused, print, printJson } from '../terminal/output.ts';
import { refusingFile } from './backup-reading.ts';

/** Whether a file may be a bundle of vulnerability data, by how it begins. */
export const looksLikeVulnsBundle = (path: string): boolean =>
  tarHeaderIn(beginningOf(path, BLOCK_BYTES))?.name === MANIFEST_FILE;

/**
 * Verifies that a bundle of vulnerability data is complete and signed by a key; only the operator can know whether it is the
 * right one.
 */
export async function verifyVulnsBundle(
  path: string,
  { key, json }: { readonly key?: VerifierKey; readonly json?: true },
): Promise<void> {
  if (key === undefined)
    throw new CommandRefused(
      `${path} is a bundle of vulnerability data. Name the key that must have signed it with --key`,
    );
  const directory = mkdtempSync(join(tmpdir(), 'redoubt-verify-'));
  try {
    const { createdAt, feeds } = await Promise.resolve()
      .then(() => openBundle(path, key, directory))
      .catch(refusingFile(path));
    const packed_at = iso(createdAt);
    const sources = feeds.map(({ source }) => source);
    if (json) return printJson({ path: resolve(path), sound: true, signed_by: key.vkey, packed_at, sources });
    print(
      `${path} is a bundle of vulnerability data, packed ${packed_at}, signed by ${key.name}: ${sources.join(', ')}`,
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
