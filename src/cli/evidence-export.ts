import { closeSync, constants, mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { publishedKeys } from '../domain/credential/issuer-keys.ts';
import { publishedJwk } from '../domain/credential/jwks.ts';
import { entryLine, headerLine } from '../domain/evidence/export.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { isRefusal } from '../domain/refusal.ts';
import { systemAfter, systemClock } from '../lib/clock.ts';
import type { Config } from '../settings/config.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import { readCredentialKeys } from '../storage/credentials/credential-keys.ts';
import type { Database } from '../storage/engine/database.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { readEvidence } from '../storage/evidence/evidence.ts';
import { openEvidenceHeads } from '../storage/evidence/evidence-heads.ts';
import { readEvidenceKey } from '../storage/evidence/evidence-key.ts';
import { evidencePage } from '../storage/evidence/evidence-page.ts';
import { createEvidenceDesk, keptCheckpoint, type SignedLog } from '../tasks/evidence.ts';
import { CommandRefused, print, printJson, table, tell } from '../terminal/output.ts';
import { type Store, withStore } from '../terminal/store.ts';
import { findLicense } from './find-license.ts';
import { createOutputFile, refuseForeignPath } from './output-file.ts';

interface ExportOptions {
  readonly out: string;
  readonly json?: true;
}

interface Exported {
  readonly file: string;
  readonly entries: number;
  readonly vkey: string;
}

/** `evidence export`: every log of a license as a file that proves itself. */
export function addExportCommand(evidence: Command, settings: () => Config): void {
  evidence
    .command('export <license>')
    .description('export the history of a license as verifiable files, one per log')
    .requiredOption('--out <directory>', 'directory for the files; created if it does not exist')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt evidence export lic_1 --out ./evidence')
    .action((name: string, { out, json }: ExportOptions) =>
      withStore(settings(), async (store) => {
        const { id } = await findLicense(store, name);
        const exported: Exported[] = [];
        for (const signed of await signedLogs(store, settings(), id)) {
          const file = join(out, `${licenseName(id)}-${signed.log.number}.ndjson`);
          await orRefused(file, () => writeLog(store.db, signed, file));
          exported.push({ file, entries: signed.size, vkey: signed.vkey });
        }
        if (json) return printJson(exported);
        print(table(['file', 'entries', 'signed by'], exported.map(Object.values)));
      }),
    );
}

/** The logs of a license that ended as they were signed last, and the one that goes on as it is now. */
async function signedLogs(store: Store, config: Config, licenseId: number): Promise<SignedLog[]> {
  const reads = readEvidence(store.db);
  const privateKey = readEvidenceKey(keysDirectory(config));
  if (privateKey === undefined)
    throw new CommandRefused('there is no key to sign evidence. Start the service once to create it');
  const desk = createEvidenceDesk({
    clock: systemClock,
    after: systemAfter,
    privateKey,
    reads,
    log: { warn: tell },
    heads: openEvidenceHeads(config.dataDir, { isOwner: false }),
    writer: { write: async (name, input) => (await store.change({ name, input } as never))[0] as never },
    isAlone: config.databaseUrl === undefined,
    baseUrl: () => config.baseUrl,
  });
  const now = await desk.signed(licenseId);
  const newest = isRefusal(now) ? now : await desk.covering(licenseId, now.log.size - 1);
  if (newest === undefined || isRefusal(newest))
    throw new CommandRefused(newest?.message ?? 'the license has no evidence');
  const signed: SignedLog[] = [];
  for (const log of await reads.ofLicense(licenseId)) {
    if (log.id === newest.log.id) continue;
    const kept = await keptCheckpoint(reads, log);
    if (kept === undefined) tell(`the log ${log.number} ended before its first checkpoint and is left out`);
    else signed.push(kept);
  }
  return [...signed, newest];
}

/** Lays the file whole or not at all, with one entry at a time in memory. */
async function writeLog(db: Database, { log, size, note, vkey }: SignedLog, file: string): Promise<void> {
  const partial = `${file}.partial`;
  refuseForeignPath(file);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(partial, { force: true });
  closeSync(createOutputFile(partial));
  const written = await open(partial, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    const keys = publishedKeys(await readCredentialKeys(db)(), Date.now());
    await written.write(headerLine({ checkpoint: note, vkey, jwks: { keys: keys.map(publishedJwk) } }));
    const positions = Array.from({ length: size }, (_, position) => position);
    for await (const entry of evidencePage(readEvidence(db), log.id, positions, size))
      await written.write(entryLine(entry));
    await written.sync();
  } finally {
    await written.close();
  }
  renameSync(partial, file);
}

async function orRefused(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    const isForbidden = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw new CommandRefused(
      isForbidden
        ? `the owner of the data directory cannot write ${file}. Use another directory with --out`
        : `cannot write ${file}: ${wordsFor(error)}`,
    );
  }
}
