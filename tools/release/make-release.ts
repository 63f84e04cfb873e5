import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { completionFor } from '../../src/cli/completion.ts';
import { Fault } from '../../src/lib/fault.ts';
import type { MinisignSigner } from '../../src/lib/minisign.ts';
import type { Packed } from './archive.ts';
import { type ContainedPackage, containedPackages } from './contents.ts';
import { type CommonParts, debianPackage } from './debian-package.ts';
import { describedProgram } from './described-program.ts';
import { makeFolder } from './folder.ts';
import { handbookFile } from './handbook.ts';
import { DEBIAN_LOCK, DEBIAN_PINS } from './image/debian-lock.ts';
import { fetchDebian } from './image/fetch-debian.ts';
import { imageLayout } from './image/image.ts';
import { licensesText } from './licenses.ts';
import { type Pinned, pinnedPackages } from './lock.ts';
import { manPage } from './man-page.ts';
import { provenanceOf } from './provenance.ts';
import { fetchRuntime, PLATFORMS, type Platform } from './runtimes.ts';
import { sbomOf } from './sbom.ts';
import { sourceAt } from './source.ts';
import { vexOf } from './vex.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface ReleaseOptions {
  /** Where the release goes, in place of one that is there. */
  readonly folder: string;
  readonly signer: MinisignSigner | undefined;
  /** Public keys of minisign to build in, in place of those that the source has. */
  readonly releaseKeys: readonly string[];
  /** More files for the kit, such as a bundle of vulnerability data. */
  readonly extras: readonly string[];
  /** A folder with the pinned packages of Debian, in place of apt. */
  readonly debianPackages?: string | undefined;
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
  const { commit, commitHash, committedAt } = sourceAt(ROOT);
  if (committedAt === undefined)
    throw new Fault('a release is of a commit, and git knows none here: check the source out');
  if (commit.endsWith('-modified'))
    throw new Fault(
      'a release is of a commit, and the source differs from it: commit it, or check it out anew',
    );
  const release = makeFolder(folder, version, committedAt, signer);
  const work = mkdtempSync(join(tmpdir(), 'redoubt-release-'));
  try {
    onProgress('fetching the packages for the image');
    const unpacked = fetchDebian(work, options.debianPackages);
    onProgress('writing the bill of materials');
    const { metafile } = build(PLATFORMS[0], join(work, 'contents'), options.releaseKeys);
    const common = await commonParts(version, commit, committedAt, metafile);
    const sbomHash = createHash('sha256').update(common.sbom).digest('hex');
    const executables = PLATFORMS.map((platform) => {
      onProgress(`building for ${platform.target}`);
      const words = ['--sbom-sha256', sbomHash];
      return { platform, ...build(platform, join(work, platform.target), options.releaseKeys, words) };
    });
    const name = `redoubt-${version}`;
    for (const { platform, bytes } of executables) {
      onProgress(`packing for ${platform.target}`);
      release.lay({ path: `${name}-${platform.target}`, bytes, isProgram: true });
      const deb = debianPackage(bytes, platform.debian, common);
      release.lay({ path: debName(version, platform), bytes: deb });
    }
    onProgress('packing the image');
    const image = {
      version,
      commit: commitHash,
      committedAt,
      licenses: common.licenses,
      sbom: common.imageSbom,
      executables: executables.map(({ platform, bytes }) => ({ architecture: platform.debian, bytes })),
    };
    release.pack(`${name}-oci`, imageLayout(image, unpacked));
    for (const file of looseFiles(name, version, common, extras)) release.lay(file);
    const vex = vexOf(ROOT, { version, committedAt });
    release.lay({ path: `${name}.openvex.json`, bytes: Buffer.from(vex) });
    const provenance = provenanceOf({
      version,
      commitHash,
      packages: common.packages,
      pinned: common.pinned,
      subjects: release.sums(),
      lockFiles: ['bun.lock', DEBIAN_LOCK].map((path) => ({ path, bytes: readFileSync(join(ROOT, path)) })),
    });
    release.lay({ path: `${name}.intoto.json`, bytes: Buffer.from(provenance) });
    release.laySums();
    for (const platform of PLATFORMS) {
      release.sign(`${name}-${platform.target}`, platform.target);
      release.sign(debName(version, platform), platform.target);
    }
    for (const end of OF_EVERY_PLATFORM) release.sign(`${name}${end}`, 'any');
    release.sign('SHA256SUMS', 'any');
    release.packAll(`${name}-airgap`);
    release.sign(`${name}-airgap.tar`, 'any');
    release.finish();
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** What is signed beside executables, packages and sums, by the ends of the names. */
const OF_EVERY_PLATFORM = ['-oci.tar', '-oci.cdx.json', '.cdx.json', '.openvex.json', '.intoto.json'];

const debName = (version: string, { debian }: Platform): string => `redoubt_${version}_${debian}.deb`;

/** The executable for a platform, and what Bun tells of it. */
function build(
  platform: Platform,
  work: string,
  releaseKeys: readonly string[],
  more: readonly string[] = [],
): { bytes: Uint8Array; metafile: string } {
  const runtime = fetchRuntime(platform, ROOT, join(work, 'runtime'));
  // Its base name is a part of its bytes.
  const [outfile, metafile] = [join(work, 'redoubt'), join(work, 'contents.json')];
  const keys = releaseKeys.flatMap((path) => ['--release-key', path]);
  const words = ['--target', `bun-${platform.target}`, '--executable', runtime, '--outfile', outfile];
  try {
    execFileSync(process.execPath, ['build.ts', ...words, '--metafile', metafile, ...keys, ...more], {
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

interface ReleaseParts extends CommonParts {
  readonly packages: readonly ContainedPackage[];
  readonly pinned: ReadonlyMap<string, Pinned>;
  /** The bill of materials of the container image. */
  readonly imageSbom: string;
}

/** What is the same for every platform. */
async function commonParts(
  version: string,
  commit: string,
  committedAt: number,
  metafile: string,
): Promise<ReleaseParts> {
  const packages = containedPackages(metafile, ROOT);
  const pinned = pinnedPackages(ROOT);
  const bill = { version, commit, committedAt, packages, pinned, runtimeVersions: process.versions };
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
    sbom: sbomOf(bill),
    imageSbom: sbomOf({ ...bill, debian: DEBIAN_PINS }),
    packages,
    pinned,
    handbook: handbookFile(version),
  };
}

function looseFiles(
  name: string,
  version: string,
  common: ReleaseParts,
  extras: readonly string[],
): Packed[] {
  const text = (path: string, content: string): Packed => ({ path, bytes: Buffer.from(content) });
  const check = readFileSync(join(import.meta.dirname, 'check.txt'), 'utf8');
  return [
    text('README.txt', check.replaceAll('@VERSION@', version)),
    text(`${name}.cdx.json`, common.sbom),
    text(`${name}-oci.cdx.json`, common.imageSbom),
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
