import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import type { IndexRange } from '../domain/evidence/coverage.ts';
import { LINE_BYTES_MAX } from '../domain/evidence/export.ts';
import { type ExportHolds, type ExportVerdict, verifyExport } from '../domain/evidence/verify-export.ts';
import { linesOf } from '../lib/lines.ts';
import { NOTE_BYTES_MAX, parseVerifierKey, type VerifierKey } from '../lib/signed-note.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import {
  CommandRefused,
  Ended,
  print,
  printJson,
  SOMETHING_TO_DO,
  table,
  tell,
  WrongUsage,
} from '../terminal/output.ts';

interface VerifyOptions {
  readonly vkey?: VerifierKey;
  readonly pinned?: string;
  readonly pinnedVkey?: VerifierKey;
  readonly json?: true;
}

const STDIN = '-';

/** `evidence verify`: whether an export is what the log holds, anywhere, without a service or settings. */
export function addVerifyCommand(evidence: Command): void {
  evidence
    .command('verify')
    .description('verify an export of an evidence log offline')
    .argument('<file>', 'the export, one or more pages; - reads standard input')
    .option('--vkey <key>', 'the public key of the log, received separately from the export', logKey)
    .option('--pinned <file>', 'a checkpoint that you stored earlier; the log must continue it')
    .option(
      '--pinned-vkey <key>',
      'the key that signed that checkpoint, if the log has changed its key',
      logKey,
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExample:\n  redoubt evidence verify evidence.ndjson --vkey 'example.com/evidence/1+1a2b3c4d+A…'",
    )
    .action(async (path: string, { vkey, pinned, pinnedVkey, json }: VerifyOptions) => {
      const kept = pinned === undefined ? undefined : await noteAt(pinned);
      const lines = linesOf(chunksOf(path), LINE_BYTES_MAX);
      const verdict = await verifyExport(lines, { vkey, pinned: kept, pinnedKey: pinnedVkey });
      if (json) printJson(jsonOf(verdict));
      if (!verdict.holds)
        throw new CommandRefused(`the export is invalid: ${placeOf(verdict)}${verdict.why}`);
      if (!json) show(verdict, kept !== undefined);
      if (!verdict.vkeyGiven)
        tell(
          "the key was read from the export itself. Compare it with the operator's key, or pass that with --vkey",
        );
      // What is missing may have been taken out.
      if (!verdict.whole) throw new Ended(SOMETHING_TO_DO);
    });
}

const logKey = (text: string): VerifierKey => {
  const key = parseVerifierKey(trimInvisible(text));
  if (key === undefined)
    throw new WrongUsage(
      '--vkey and --pinned-vkey take a public key of the form name+id+key, from the operator of the service',
    );
  return key;
};

/** A longer one comes cut, but still too long to be one. */
const noteAt = async (path: string): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(chunksOf(path, NOTE_BYTES_MAX)));

/** Throws CommandRefused for what cannot be read. */
async function* chunksOf(path: string, lastByte = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  try {
    yield* path === STDIN ? process.stdin : createReadStream(path, { end: lastByte });
  } catch (error) {
    throw new CommandRefused(`cannot read ${path}: ${readingWordsFor(error)}`);
  }
}

function readingWordsFor(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file. Name the exported file';
  return code === 'EISDIR' ? 'it is a directory. Name a file in it' : wordsFor(error);
}

const jsonOf = (verdict: ExportVerdict): object => {
  if (!verdict.holds) return verdict;
  const { vkeyGiven, ...told } = verdict;
  return { ...told, vkey_given: vkeyGiven };
};

const placeOf = ({ line, index }: { line: number | null; index: number | null }): string => {
  if (line === null) return '';
  return index === null ? `line ${line}: ` : `line ${line}, entry ${index}: `;
};

const RANGES_SHOWN = 20;

/** Such as `4, 7 to 9 and 2 more gaps`. */
function inWords(missing: readonly IndexRange[]): string {
  const shown = missing.slice(0, RANGES_SHOWN);
  const named = shown.map(({ first, last }) => (first === last ? String(first) : `${first} to ${last}`));
  const more = missing.length - shown.length;
  return named.join(', ') + (more === 0 ? '' : ` and ${more} more ${more === 1 ? 'gap' : 'gaps'}`);
}

function show(verdict: ExportHolds, isPinned: boolean): void {
  const { origin, size, entries, forgotten, first, last, missing, vkey } = verdict;
  const grown = isPinned ? ', which extends the stored checkpoint' : '';
  const lacking = size - entries;
  print(
    missing.length === 0
      ? `The export is complete, and all its entries are in the log${grown}.\n`
      : `The export is incomplete: ${lacking} ${lacking === 1 ? 'entry' : 'entries'} of the log ${lacking === 1 ? 'is' : 'are'} missing. All its entries are in the log${grown}.\n`,
  );
  print(
    table(
      ['what', 'value'],
      [
        ['log', origin],
        ['entries in the log', size],
        ['entries in the export', entries],
        ['deleted, hash only', forgotten],
        ['indexes', first === null ? null : `${first} to ${last}`],
        ['missing', missing.length === 0 ? null : inWords(missing)],
        ['signed by', vkey],
      ],
    ),
  );
}
