import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../src/lib/fault.ts';
import { pinnedPackages } from './lock.ts';

/** The platforms that a release is for: by our name, by that of Bun's package, of its processor in npm, and in Debian. */
export const PLATFORMS = [
  { target: 'linux-x64', package: '@oven/bun-linux-x64', cpu: 'x64', debian: 'amd64' },
  { target: 'linux-arm64', package: '@oven/bun-linux-aarch64', cpu: 'arm64', debian: 'arm64' },
] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * Fetches the runtime of a platform as bun.lock has pinned it, whatever Bun this host runs: Bun takes no package of another hash, and
 * keeps what it has fetched once.
 *
 * @param folder an empty one for it
 * @returns the path of the runtime
 * @throws Fault
 */
export function fetchRuntime(platform: Platform, root: string, folder: string): string {
  const name = platform.package;
  const version = process.versions.bun ?? '';
  const pinned = pinnedPackages(root).get(`${name}@${version}`);
  if (pinned === undefined)
    throw new Fault(
      `bun.lock does not pin ${name}@${version}: run this with the Bun that package.json names`,
    );
  mkdirSync(folder, { recursive: true });
  const project = { name: 'runtime', dependencies: { [name]: version } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
  const about = { os: 'linux', cpu: platform.cpu, libc: 'glibc' };
  const lock = {
    lockfileVersion: 1,
    workspaces: { '': project },
    packages: { [name]: [`${name}@${version}`, '', about, pinned.integrity] },
  };
  writeFileSync(join(folder, 'bun.lock'), JSON.stringify(lock));
  const words = ['install', '--frozen-lockfile', '--ignore-scripts', '--no-summary', '--os=linux'];
  try {
    execFileSync(process.execPath, [...words, `--cpu=${platform.cpu}`], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    throw new Fault(
      `${name}@${version} cannot be had: ${String((error as { stderr?: unknown }).stderr).trim()}`,
    );
  }
  return join(folder, 'node_modules', name, 'bin/bun');
}
