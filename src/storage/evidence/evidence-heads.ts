import { closeSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { LogName } from '../../domain/evidence/origin.ts';
import { layFile } from '../../lib/lay-file.ts';
import { openPlainFile } from '../../lib/read-file.ts';
import { Turns } from '../../lib/turns.ts';
import { orUnusable } from '../engine/data-directory.ts';
import { makeSigningDirectory } from '../signing/signing-directory.ts';

/** The signed head of a log. */
export interface LogHead extends LogName {
  readonly size: number;
  /** In base64url. */
  readonly root: string;
}

/**
 * The last signed heads of all logs, in a separate file next to the database: after a restore of an older database, they show
 * that there was more.
 */
export interface EvidenceHeads {
  /** Reads heads again that a command may have added. */
  refresh(): void;
  /** The newest of each log. */
  all(): LogHead[];
  /** Of one log; undefined when it was never signed. */
  of(log: LogName): LogHead | undefined;
  /** The newest head of each log with a public id. */
  ofName(publicId: string): LogHead[];
  /** Stores a head, on disk when this resolves. Sign only afterwards. */
  note(head: LogHead): Promise<void>;
}

const LINE = /^([0-9A-Za-z]{22})\/([1-9]\d{0,8}) (\d{1,15}) ([\w-]{43})$/;
/** The file is rewritten when it has more superseded lines than this: each checkpoint adds one. */
const SPENT_LINES_MAX = 1_000;

const nameOf = ({ publicId, number }: LogName): string => `${publicId}/${number}`;
/** The leading newline separates it from a line that a crash cut off. */
const lineOf = (head: LogHead): string => `\n${nameOf(head)} ${head.size} ${head.root}\n`;

function textOf(path: string): string {
  const file = openPlainFile(path, constants.O_RDONLY);
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Reads the lines. A line that a crash cut off is skipped: its head was never given out. */
function headsIn(path: string): LogHead[] {
  const text = existsSync(path) ? textOf(path) : '';
  return text.split('\n').flatMap((line) => {
    const [, publicId, number, size, root] = LINE.exec(line) ?? [];
    return publicId === undefined || root === undefined
      ? []
      : [{ publicId, number: Number(number), size: Number(size), root }];
  });
}

/**
 * Reads the signed heads.
 *
 * @param isOwner whether this process may rewrite the file: the server, not a command
 * @throws DataDirectoryUnusable when it cannot be read
 */
export function openEvidenceHeads(
  dataDir: string,
  { isOwner }: { readonly isOwner: boolean },
): EvidenceHeads {
  const path = join(makeSigningDirectory(dataDir), 'evidence.head');
  const heads = new Map<string, LogHead>();
  const remember = (head: LogHead): void => {
    const before = heads.get(nameOf(head));
    if (before === undefined || before.size <= head.size) heads.set(nameOf(head), head);
  };
  let lines = 0;
  const refresh = (): void => {
    const found = orUnusable(`cannot read ${path}`, () => headsIn(path));
    for (const head of found) remember(head);
    lines = found.length;
  };
  refresh();

  const write = async (head: LogHead): Promise<void> => {
    const isGone = !existsSync(path);
    remember(head);
    lines += 1;
    if (!isOwner || (!isGone && lines <= heads.size + SPENT_LINES_MAX)) return append(path, lineOf(head));
    layFile(path, (partial) => writeFileSync(partial, [...heads.values()].map(lineOf).join('')));
    lines = heads.size;
  };
  const turns = new Turns();
  return {
    refresh,
    all: () => [...heads.values()],
    of: (log) => heads.get(nameOf(log)),
    ofName: (publicId) => [...heads.values()].filter((head) => head.publicId === publicId),
    note: (head) => turns.take(() => write(head)),
  };
}

async function append(path: string, line: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.writeFile(line);
    await file.datasync();
  } finally {
    await file.close();
  }
}
