import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGone } from '../../src/lib/abandoned.ts';

const NAME = 'redoubt-test-';
const OF_A_RUN = new RegExp(`^${NAME}(\\d+)-`);

/** Everything of one run is in one directory, whose name tells the process that it belongs to. */
let home: string | undefined;

/** A new directory that is gone when the run is over. */
export function temporaryDirectory(): string {
  home ??= makeHome();
  return mkdtempSync(join(home, 'directory-'));
}

/** What outlives a file of tests is in another one. */
let lastingHome: string | undefined;

/** A new directory that outlives a file of tests, and is gone when this process is. */
export function lastingDirectory(): string {
  lastingHome ??= makeLastingHome();
  return mkdtempSync(join(lastingHome, 'directory-'));
}

function makeLastingHome(): string {
  const directory = makeHome();
  // A test runner ends without telling its process: this one sees the end of its input.
  spawn('sh', ['-c', 'cat; until rm -rf "$0"; do sleep 1; done', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  }).unref();
  return directory;
}

function makeHome(): string {
  const directory = mkdtempSync(join(tmpdir(), `${NAME}${process.pid}-`));
  // Some tests let another user into a directory in it.
  chmodSync(directory, 0o711);
  return directory;
}

/** Removes what this run has made, and what runs have left that were killed. */
export function removeTemporaryDirectories(): void {
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
  home = undefined;
  for (const name of readdirSync(tmpdir())) {
    const owner = OF_A_RUN.exec(name)?.[1];
    if (owner !== undefined && isGone(Number(owner))) removeIfOurs(join(tmpdir(), name));
  }
}

function removeIfOurs(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // Another user's.
  }
}
