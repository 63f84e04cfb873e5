import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { completionFor } from '../../src/cli/completion.ts';
import { Fault } from '../../src/lib/fault.ts';
import type { MinisignSigner } from '../../src/lib/minisign.ts';
import type { Packed } from './archive.ts';
import { containedPackages } from './contents.ts';
import { type CommonParts, debianPackage } from './debian-package.ts';
import { describedProgram } from './described-program.ts';
import { makeFolder } from './folder.ts';
import { handbookFile } from './handbook.ts';
import { licensesText } from './licenses.ts';
import { pinnedPackages } from './lock.ts';
import { manPage } from './man-page.ts';
import { fetchRuntime, PLATFORMS, type Platform } from './runtimes.ts';
import { sbomOf } from './sbom.ts';
import { sourceAt } from './source.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface ReleaseOptions {
  /** Where the release goes, in place of one that is there. */
  readonly folder: string;
  readonly signer: MinisignSigner | undefined;
  /** Public keys of minisign to build in, in place of those that the source has. */
  readonly releaseKeys: readonly string[];
  /** More files for the kit, such as a bundle of vulnerability data. */
  readonly extras: readonly string[];
  readonly onProgress: (what: string) => void;
}

/**
 * Makes a release of the commit that is checked out.
 *
 * @throws Fault, whose message says what to do
 */
export async function makeRelease(options: ReleaseOptions): Promise<void> {
  const { folder, signer, extras, onProgress } = options;
  const { version } = packageJson;
  const { commit, committedAt } = sourceAt(ROOT);
  if (committedAt === undefined)
    throw new Fault('a release is of a commit, and git knows none here: check the source out');
  if (commit.endsWith('-modified'))
    throw new Fault(
      'a release is of a commit, and the source differs from it: commit it, or check it out anew',
    );
  const release = makeFolder(folder, version, committedAt, signer);
  const work = mkdtempSync(join(tmpdir(), 'redoubt-release-'));
  try {
    const executables = PLATFORMS.map((platform) => {
      onProgress(`building for ${platform.target}`);
      return { platform, ...build(platform, join(work, platform.target), options.releaseKeys) };
    });
    const common = await commonParts(version, commit, committedAt, executables[0]?.metafile ?? '');
    const name = `redoubt-${version}`;
    for (const { platform, bytes } of executables) {
      onProgress(`packing for ${platform.target}`);
      release.lay({ path: `${name}-${platform.target}`, bytes, isProgram: true });
      const deb = debianPackage(bytes, platform.debian, common);
      release.lay({ path: debName(version, platform), bytes: deb });
    }
    for (const file of looseFiles(name, version, common, extras)) release.lay(file);
    release.laySums();
    for (const platform of PLATFORMS) {
      release.sign(`${name}-${platform.target}`, platform.target);
      release.sign(debName(version, platform), platform.target);
    }
    release.sign('SHA256SUMS', 'any');
    release.pack(`${name}-airgap`);
    release.sign(`${name}-airgap.tar`, 'any');
    release.finish();
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const debName = (version: string, { debian }: Platform): string => `redoubt_${version}_${debian}.deb`;

/** The executable for a platform, and what Bun tells of it. */
function build(
  platform: Platform,
  work: string,
  releaseKeys: readonly string[],
): { bytes: Uint8Array; metafile: string } {
  const runtime = fetchRuntime(platform, ROOT, join(work, 'runtime'));
  // Its base name is a part of its bytes.
  const [outfile, metafile] = [join(work, 'redoubt'), join(work, 'contents.json')];
  const keys = releaseKeys.flatMap((path) => ['--release-key', path]);
  const words = ['--target', `bun-${platform.target}`, '--executable', runtime, '--outfile', outfile];
  try {
    execFileSync(process.execPath, ['build.ts', ...words, '--metafile', metafile, ...keys], {
      cwd: ROOT,
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Fault(
      `the build for ${platform.target} failed: ${String((error as { stderr?: unknown }).stderr)}`,
    );
  }
  return { bytes: readFileSync(outfile), metafile: readFileSync(metafile, 'utf8') };
}

/** What is the same for every platform. */
async function commonParts(
  version: string,
  commit: string,
  committedAt: number,
  metafile: string,
): Promise<CommonParts> {
  const packages = containedPackages(metafile, ROOT);
  const pinned = pinnedPackages(ROOT);
  const runtimeVersions = process.versions;
  const units = readdirSync(join(ROOT, 'systemd')).sort();
  const date = new Date(committedAt).toISOString().slice(0, 10);
  const program = await describedProgram();
  const completion = (shell: 'bash' | 'zsh' | 'fish') => completionFor(shell, program);
  return {
    version,
    committedAtSeconds: Math.floor(committedAt / 1_000),
    manPage: manPage(program, version, date),
    completions: { bash: completion('bash'), zsh: completion('zsh'), fish: completion('fish') },
    units: units.map((path) => ({ path, bytes: readFileSync(join(ROOT, 'systemd', path)) })),
    licenses: licensesText(ROOT, packages),
    sbom: sbomOf({ version, commit, committedAt, packages, pinned, runtimeVersions }),
    handbook: handbookFile(version),
  };
}

function looseFiles(name: string, version: string, common: CommonParts, extras: readonly string[]): Packed[] {
  const text = (path: string, content: string): Packed => ({ path, bytes: Buffer.from(content) });
  const check = readFileSync(join(import.meta.dirname, 'check.txt'), 'utf8');
  return [
    text('README.txt', check.replaceAll('@VERSION@', version)),
    text(`${name}.cdx.json`, common.sbom),
    text(`${name}-handbook.html`, common.handbook),
    text(`${name}-licenses.txt`, common.licenses),
    text('man/redoubt.1', common.manPage),
    text('completion/redoubt.bash', common.completions.bash),
    text('completion/_redoubt', common.completions.zsh),
    text('completion/redoubt.fish', common.completions.fish),
    ...common.units.map(({ path, bytes }) => ({ path: `systemd/${path}`, bytes })),
    ...extras.map((path) => ({ path: `extras/${basename(path)}`, bytes: readFileSync(path) })),
  ];
}
