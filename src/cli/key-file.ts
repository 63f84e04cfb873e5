import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, ftruncateSync, linkSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { csvLine } from '../lib/csv.ts';
import { flush } from '../lib/lay-file.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { CommandRefused, tell, WrongUsage } from '../terminal/output.ts';
import { createOutputFile } from './output-file.ts';

/**
 * Brings keys to disk as CSV, before they are used.
 *
 * @param rows the first names the columns
 * @throws CommandRefused
 */
export type KeepKeys = (rows: readonly (readonly (string | number)[])[]) => void;

/** Keys that are in use, or none. */
export interface KeptKeys<Value> {
  readonly done: Value;
  /** Where they are; null where none were kept. */
  readonly file: string | null;
}

/** A path for keys, of the command line. */
export function keyFilePath(text: string): string {
  if (text === '' || text === '-') throw new WrongUsage('--out must name a file');
  return text;
}

/**
 * Creates a private file for keys that are shown nowhere else. Its name ends in `.partial` until they are in use, so that the
 * path never contains unused keys, however the process ends. It is removed when no keys were stored, or their use failed.
 *
 * @param path where nothing may be
 * @throws CommandRefused when it cannot be made, and what `use` throws
 */
export async function withKeyFile<Value>(
  path: string,
  use: (keep: KeepKeys) => Promise<Value>,
): Promise<KeptKeys<Value>> {
  const partial = `${path}.partial`;
  const file = orRefused(path, () => create(path, partial));
  // Before the database is opened, because root's commands become the owner of the data directory then.
  const settle = settlerOf(path, partial);
  let areInUse = false;
  try {
    let areKept = false;
    const done = await use((rows) => {
      orRefused(path, () => {
        writeFileSync(file, rows.map(csvLine).join(''));
        fsyncSync(file);
      });
      areKept = true;
    });
    areInUse = areKept;
    if (!areInUse) return { done, file: null };
    if (await settle('keep')) return { done, file: path };
    tell(`${partial} could not be renamed to ${path}. Rename it: its keys are in use`);
    return { done, file: partial };
  } finally {
    if (!areInUse) {
      ftruncateSync(file);
      if (!(await settle('drop'))) tell(`${partial} is empty. Remove it`);
    }
    closeSync(file);
  }
}

/** Exclusive creation also prevents two commands from using one file. */
function create(path: string, partial: string): number {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new CommandRefused(`cannot write keys to ${path}: it already exists`);
  const left = lstatSync(partial, { throwIfNoEntry: false });
  if (left !== undefined) {
    const todo =
      left.size === 0
        ? 'it is empty and can be removed'
        : `check a key in it with "redoubt license find -": if the key is found, rename the file, otherwise remove it`;
    throw new CommandRefused(
      `${partial} is being written by another command, or was left by an interrupted one. In that case, ${todo}`,
    );
  }
  const file = createOutputFile(partial);
  flush(dirname(path));
  return file;
}

function orRefused<Value>(path: string, act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    throw new CommandRefused(`cannot write keys to ${path}: ${wordsFor(error)}`);
  }
}

type Word = 'keep' | 'drop';

const ROOT = 0;
const HAND = `read -r word && case $word in
  keep) link "$0.partial" "$0" && unlink "$0.partial" ;;
  drop) unlink "$0.partial" ;;
esac`;

/**
 * Renames the file without replacing another, or removes it. Root's command becomes another user, who may do neither in root's
 * folders, so a process that stays root's does it on request, and nothing when this process ends without one.
 */
function settlerOf(path: string, partial: string): (word: Word) => Promise<boolean> {
  const itself = async (word: Word): Promise<boolean> => {
    try {
      if (word === 'keep') linkSync(partial, path);
      rmSync(partial);
      return true;
    } catch {
      return false;
    }
  };
  if (process.geteuid?.() !== ROOT) return itself;

  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  const hand = spawn('/bin/sh', ['-c', HAND, resolve(path)], { env, stdio: ['pipe', 'ignore', 'ignore'] });
  const isDone = new Promise<boolean>((resolve) => {
    hand.once('error', () => resolve(false));
    hand.once('exit', (code) => resolve(code === 0));
  });
  // Of a shell that is not there, or was ended.
  hand.stdin.on('error', () => {});
  return async (word) => {
    hand.stdin.end(`${word}\n`);
    return (await isDone) || itself(word);
  };
}
