import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';

const SANDBOX = join(import.meta.dir, '../../../shared/tools/systemd-sandbox');
const isCi = process.env.CI === 'true';

/** A shell that became root by `su` may lack the folders of root's commands. */
export const HOST_ENV = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

export const hasCommand = (command: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${command}`], { env: HOST_ENV }).status === 0;

/** A host with a real systemd, which runs programs of this one. */
export interface BootedHost {
  readonly missing: readonly string[];
  /** Whether its tests run: also in CI, where they fail without the requirements. */
  readonly mayBoot: boolean;
}

/** Finds the missing requirements to boot a host, and reports them. */
export function bootedHost(what: string, ...commands: readonly string[]): BootedHost {
  const missing = [
    ...(process.getuid?.() === 0 ? [] : ['root']),
    ...(existsSync(SANDBOX) ? [] : [SANDBOX]),
    ...['systemctl', 'unshare', 'ip', 'curl', ...commands].filter((command) => !hasCommand(command)),
  ];
  const mayBoot = missing.length === 0 || (isCi && existsSync(SANDBOX));
  if (!mayBoot) console.warn(`${what} is skipped: it needs ${missing.join(', ')}`);
  return { missing, mayBoot };
}

export interface HostRun {
  /** Installed and started under its base name; undefined = a unit that does nothing. */
  readonly unit?: string;
  readonly users?: readonly string[];
  readonly seconds?: number;
  /** Files of the host, by their paths there, each with its source and mode. */
  readonly files: readonly (readonly [source: string | undefined, path: string, mode: number])[];
}

function bareUnit(): string {
  const path = join(temporaryDirectory(), 'bare.service');
  writeFileSync(path, '[Service]\nType=oneshot\nExecStart=/bin/true\n');
  return path;
}

/**
 * Boots a host and runs a script of test/support in it, which prints a line for each guarantee that it
 * confirms, in order.
 */
export function expectOnHost(
  { missing }: BootedHost,
  script: string,
  { unit = bareUnit(), users = [], seconds, files }: HostRun,
  guarantees: string,
): void {
  expect(missing).toEqual([]);
  const { status, stdout, stderr } = spawnSync(
    SANDBOX,
    [
      ...['--unit', unit],
      ...users.flatMap((user) => ['--user', user]),
      ...(seconds === undefined ? [] : ['--seconds', String(seconds)]),
      ...files.flatMap(([source, path, mode]) => ['--file', `${source}:${path}:${mode.toString(8)}`]),
      join(import.meta.dir, script),
    ],
    { encoding: 'utf8', env: HOST_ENV },
  );
  const kept = stdout.split('\n').map((line) => line.split(':')[0]);
  expect([status, stdout, stderr]).toEqual([0, expect.any(String), '']);
  expect(kept).toEqual([...guarantees.split(' '), '']);
}
