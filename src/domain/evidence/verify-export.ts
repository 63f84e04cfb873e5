import { type NoteRefusal, openNote, parseVerifierKey, type VerifierKey } from '../../lib/signed-note.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { Coverage, type IndexRange } from './coverage.ts';
import {
  type ExportEntry,
  type ExportHeader,
  isEntry,
  LINE_BYTES_MAX,
  leafOf,
  readExportLine,
} from './export.ts';
import { EMPTY_ROOT } from './merkle.ts';
import { rootAfter, rootBefore, rootFromInclusion } from './merkle-proofs.ts';

/** Limit of pages in one file: the root of each is kept in memory. */
const PAGES_MAX = 10_000;

/** What the verifier knows beforehand, independently of the file. */
export interface ExportTrust {
  /** The key that must have signed the log. */
  readonly vkey?: VerifierKey | undefined;
  /** An earlier signed checkpoint of the log; the log must have grown from it. */
  readonly pinned?: Uint8Array | undefined;
  /** The key of that checkpoint, if the log has changed its key since. */
  readonly pinnedKey?: VerifierKey | undefined;
}

/** A valid export. */
export interface ExportHolds {
  readonly holds: true;
  readonly origin: string;
  /** Of the log, at the last checkpoint in the file. */
  readonly size: number;
  /** Number of distinct entries in the file, including deleted ones. */
  readonly entries: number;
  readonly forgotten: number;
  /** The lowest and the highest index; null without entries. */
  readonly first: number | null;
  readonly last: number | null;
  /** Whether no entry of the log is missing. */
  readonly whole: boolean;
  /** Entries of the log that are missing in the file. The others are valid. */
  readonly missing: readonly IndexRange[];
  readonly vkey: string;
  /** Whether the key was known beforehand. One that the file itself names shows no more than that one key signed it all. */
  readonly vkeyGiven: boolean;
}

/** An invalid export. */
export interface ExportFails {
  readonly holds: false;
  /** The first invalid line, counted from 1; null when it is not a single line. */
  readonly line: number | null;
  /** The index of the invalid or missing entry; null when it is not an entry. */
  readonly index: number | null;
  /** In a sentence for people, with what to do. */
  readonly why: string;
}

export type ExportVerdict = ExportHolds | ExportFails;

/**
 * Checks an export: the form of every line, the signature of every checkpoint, every entry's place in the log, and that all
 * checkpoints are of one log that only grew, as far as the entries show it. Pages may follow each other in the order of their
 * export.
 *
 * @param lines without their newlines; one longer than {@link LINE_BYTES_MAX} may be cut after that
 */
export async function verifyExport(
  lines: AsyncIterable<Uint8Array>,
  trust: ExportTrust = {},
): Promise<ExportVerdict> {
  const check = new ExportCheck(trust);
  let line = 0;
  for await (const bytes of lines) {
    line += 1;
    const failure = check.read(bytes);
    if (failure !== undefined) return { holds: false, line, ...failure };
  }
  return check.verdict();
}

type Failure = Pick<ExportFails, 'index' | 'why'>;

const failure = (why: string, index: number | null = null): Failure => ({ index, why });

const BY_NOTE_REFUSAL: Readonly<Record<NoteRefusal, string>> = {
  malformed: 'is not a signed note',
  unknown_signer: 'is not signed by the key of the log',
  bad_signature: 'does not match its signature',
};

/** What was read so far. */
class ExportCheck {
  readonly #trust: ExportTrust;
  #key: VerifierKey | undefined;
  #page: Checkpoint | undefined;
  #pinned: Checkpoint | undefined;
  #pinnedIsShown = false;
  #pages = 0;
  /** Known roots of the log, by size: those of the pages, and the pinned one. */
  readonly #roots = new Map<number, Uint8Array>();
  #previous: number | undefined;
  readonly #coverage = new Coverage();
  #forgotten = 0;

  constructor(trust: ExportTrust) {
    this.#trust = trust;
  }

  read(bytes: Uint8Array): Failure | undefined {
    if (bytes.length > LINE_BYTES_MAX)
      return failure(
        `The line is longer than ${LINE_BYTES_MAX} bytes, which is impossible in an export. Export again.`,
      );
    const text = textOf(bytes);
    const line = text === undefined ? undefined : readExportLine(text);
    if (line === undefined)
      return failure(
        'The line is not part of an export: it was changed, truncated, or belongs to another file. Export again.',
      );
    return 'checkpoint' in line ? this.#begin(line) : this.#add(line);
  }

  verdict(): ExportVerdict {
    const [key, page] = [this.#key, this.#page];
    if (key === undefined || page === undefined)
      return { holds: false, line: null, ...failure('The file is empty. Export again.') };
    const pinned = this.#pinnedFailure(page);
    if (pinned !== undefined) return { holds: false, line: null, ...pinned };
    const { entries, bounds } = this.#coverage;
    const missing = this.#coverage.missingOf(page.size);
    return {
      holds: true,
      origin: page.origin,
      size: page.size,
      entries,
      forgotten: this.#forgotten,
      first: bounds?.first ?? null,
      last: bounds?.last ?? null,
      whole: missing.length === 0,
      missing,
      vkey: key.vkey,
      vkeyGiven: this.#trust.vkey !== undefined,
    };
  }

  #begin(header: ExportHeader): Failure | undefined {
    this.#pages += 1;
    if (this.#pages > PAGES_MAX)
      return failure(`The file has more than ${PAGES_MAX} pages. Verify them in several files.`);
    const key = this.#key ?? this.#trust.vkey ?? parseVerifierKey(header.vkey);
    if (key === undefined) return failure('The key in the header is malformed. Export again.');
    if (header.vkey !== key.vkey)
      return failure(
        this.#key === undefined
          ? 'The export uses another key than the given one. Ask the operator which key is right.'
          : 'The page uses another key than the pages before it. Verify each log separately.',
      );
    const page = checkpointIn(Buffer.from(header.checkpoint), key);
    if (typeof page === 'string') return failure(`The checkpoint ${page}. Export again.`);
    const before = this.#page;
    if (before !== undefined && page.size < before.size)
      return failure('The page is older than the one before it. Put the pages in the order of their export.');
    if (this.#key === undefined) {
      this.#key = key;
      const refused = this.#pin(key);
      if (refused !== undefined) return refused;
    }
    this.#page = page;
    this.#previous = undefined;
    return this.#compare(page.size, page.rootHash, null);
  }

  #pin(key: VerifierKey): Failure | undefined {
    if (this.#trust.pinned === undefined) return undefined;
    const pinned = checkpointIn(this.#trust.pinned, this.#trust.pinnedKey ?? key);
    if (typeof pinned === 'string')
      return failure(`The stored checkpoint ${pinned}. Use one of this log, with its key.`);
    if (pinned.origin !== key.name)
      return failure('The stored checkpoint belongs to another log. Verify the export of that log.');
    this.#pinned = pinned;
    this.#pinnedIsShown = pinned.size === 0;
    this.#roots.set(pinned.size, pinned.rootHash);
    return undefined;
  }

  #add(line: ExportEntry): Failure | undefined {
    const page = this.#page;
    if (page === undefined)
      return failure('The file must start with a header, but has an entry. Export again.');
    const { index, proof } = line;
    if (index <= (this.#previous ?? -1))
      return failure('The entry follows one with the same or a higher index. Export again.', index);
    if ('entry' in line && !isEntry(line.entry))
      return failure('This is not an entry of a log. Export again.', index);
    const leaf = leafOf(line);
    const root = rootFromInclusion(index, page.size, leaf, proof);
    if (root === undefined || !root.equals(page.rootHash))
      return failure('The entry differs from the log, or its proof is invalid. Export again.', index);
    this.#previous = index;
    const isNew = this.#coverage.add(index);
    if (isNew === undefined) return failure('The file has too many gaps. Verify it in several files.', index);
    if (isNew && 'leafHash' in line) this.#forgotten += 1;
    // One entry shows the log as it was just before it and just after it.
    return (
      this.#compare(index, this.#roots.has(index) ? rootBefore(index, page.size, proof) : undefined, index) ??
      this.#compare(
        index + 1,
        this.#roots.has(index + 1) ? rootAfter(index, page.size, leaf, proof) : undefined,
        index,
      )
    );
  }

  /** Records the root of the log at a size, which must be the known one; undefined = not needed. */
  #compare(size: number, root: Uint8Array | undefined, index: number | null): Failure | undefined {
    if (root === undefined) return undefined;
    const known = this.#roots.get(size);
    if (size === this.#pinned?.size) this.#pinnedIsShown = true;
    if (known !== undefined && Buffer.compare(known, root) !== 0)
      return failure(
        `The log differs from its state with ${size} entries: its past was rewritten. Keep both files, and contact the operator.`,
        index,
      );
    this.#roots.set(size, root);
    return undefined;
  }

  #pinnedFailure(page: Checkpoint): Failure | undefined {
    const pinned = this.#pinned;
    if (pinned === undefined) return undefined;
    if (pinned.size > page.size)
      return failure(
        `The log had ${pinned.size} entries at the stored checkpoint, but the export has ${page.size}. Export again. If that does not help, its past was rewritten.`,
      );
    return this.#pinnedIsShown
      ? undefined
      : failure(
          `The export cannot be compared with the stored checkpoint, because entry ${pinned.size - 1} is missing. Export that entry too.`,
          pinned.size - 1,
        );
  }
}

/** The checkpoint of a note, or why the note is not usable. */
function checkpointIn(note: Uint8Array, key: VerifierKey): Checkpoint | string {
  const opened = openNote(note, key);
  if ('refused' in opened) return BY_NOTE_REFUSAL[opened.refused];
  const checkpoint = parseCheckpoint(opened.text);
  if (checkpoint === undefined) return 'is not a checkpoint of a log';
  if (checkpoint.origin !== key.name) return 'belongs to another log than its key';
  const isEmpty = Buffer.compare(checkpoint.rootHash, EMPTY_ROOT) === 0;
  return (checkpoint.size === 0) === isEmpty ? checkpoint : 'has a root that is impossible for its size';
}

/** Undefined for what is no UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
