import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGone } from '../../src/lib/abandoned.ts';

const NAME = 'redoubt-test-';
const OF_A_RUN = new RegExp(`^${NAME}(\\d+)-`);

/** The folder of the directories of all runs, also after `collectTemporaryFiles`. */
const BASE = tmpdir();

/** All files of one run are in one directory, with the process id in its name. */
let home: string | undefined;

/** A new directory that is deleted at the end of the run. */
export function temporaryDirectory(): string {
  home ??= makeHome();
  return mkdtempSync(join(home, 'directory-'));
}

/** Directories that survive a test file are in another one. */
let lastingHome: string | undefined;

/** A new directory that survives a test file, and is deleted with this process. */
export function lastingDirectory(): string {
  lastingHome ??= makeLastingHome();
  return mkdtempSync(join(lastingHome, 'directory-'));
}

function makeLastingHome(): string {
  const directory = makeHome();
  // A test runner ends without an event in its process: this one sees the end of its input.
  spawn('sh', ['-c', 'cat; until rm -rf "$0"; do sleep 1; done', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  }).unref();
  return directory;
}

function makeHome(): string {
  const directory = mkdtempSync(join(BASE, `${NAME}${process.pid}-`));
  // Some tests allow another user into a directory in it.
  chmodSync(directory, 0o711);
  return directory;
}

/** From now on, files that programs of tests leave behind, such as those of a browser, are deleted with this run. */
export function collectTemporaryFiles(): void {
  const directory = lastingDirectory();
  // Some of the programs run as other users.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
}

/** Deletes the files of this run, and of killed ones. */
export function removeTemporaryDirectories(): void {
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
  home = undefined;
  for (const name of readdirSync(BASE)) {
    const owner = OF_A_RUN.exec(name)?.[1];
    if (owner !== undefined && isGone(Number(owner))) removeIfOurs(join(BASE, name));
  }
}

function removeIfOurs(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // It belongs to another user.
  }
}
