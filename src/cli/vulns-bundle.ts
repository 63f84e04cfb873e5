import type { Command } from 'commander';
import { isoOrNull } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { parseVerifierKey, type VerifierKey } from '../lib/signed-note.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { openBundle } from '../mirror/bundle/open.ts';
import { packFeeds } from '../mirror/bundle/pack.ts';
import type { WantedFeed } from '../operator/import-vulnerabilities.ts';
import { readSigningKey } from '../storage/signing/signing-key.ts';
import { CommandRefused, print, printJson, table, tell, WrongUsage } from '../terminal/output.ts';
import { refuseForeignPath } from './output-file.ts';
import { importProgress } from './vulns-progress.ts';

interface PackOptions {
  readonly key: string;
  readonly out: string;
  readonly force?: true;
  readonly json?: true;
}

/** `vulns pack`: feeds in one signed file, on a host that has a network for one that has none. */
export function addPackCommand(vulns: Command): void {
  vulns
    .command('pack <files...>')
    .description('pack feeds into one signed file for offline hosts')
    .requiredOption('--key <file>', 'the private key of "redoubt keys create --purpose mirror"')
    .requiredOption('--out <bundle>', 'file for the bundle')
    .option('--force', 'overwrite the file if it exists')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  redoubt vulns pack --key mirror.key --out feeds.bundle wordfence.json epss.csv.gz',
    )
    .action(async (files: readonly string[], { key, out, force, json }: PackOptions) => {
      refuseForeignPath(out);
      const signer = readSigningKey(key, 'mirror');
      const { onProgress } = importProgress(tell);
      const { feeds } = await orRefused(() =>
        packFeeds(files, signer, out, {
          nowMs: Date.now(),
          overwrite: force,
          onProgress: (path, progress) => onProgress({ path }, progress),
        }),
      );
      const packed = feeds.map(({ file, source, records, publishedAt, sha256 }) => ({
        file,
        source,
        records,
        published_at: isoOrNull(publishedAt),
        sha256,
      }));
      const { vkey } = signer.verifier;
      if (json) return printJson({ bundle: out, key: vkey, feeds: packed });
      print(`${table(['file', 'source', 'records', 'date', 'SHA-256'], packed.map(Object.values))}\n`);
      print(`${out} is signed. Import it with the public key ${vkey}`);
    });
}

/** The public key that a bundle must be signed with, as `keys create` and `pack` print it. */
export function verifierKey(text: string): VerifierKey {
  const key = parseVerifierKey(trimInvisible(text));
  if (key === undefined)
    throw new WrongUsage(
      '--key takes a public key of the form name+id+key, as printed by "redoubt keys show"',
    );
  return key;
}

/**
 * Provides the feeds of a bundle to some work, if the trusted key signed them.
 *
 * @param directory for the unpacked files
 * @throws CommandRefused
 */
export async function withBundle<Value>(
  path: string,
  trusted: VerifierKey,
  directory: string,
  use: (feeds: readonly WantedFeed[]) => Promise<Value>,
): Promise<Value> {
  const bundle = await orRefused(() => openBundle(path, trusted, directory));
  try {
    return await use(
      bundle.feeds.map(({ path: laid, source, format, sha256 }) => ({ path: laid, source, format, sha256 })),
    );
  } finally {
    bundle.discard();
  }
}

/** What is the matter with a file is the operator's to see to. */
async function orRefused<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Fault ? new CommandRefused(error.message) : error;
  }
}
