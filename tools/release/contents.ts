import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of npm of which something is in the executable. */
export interface ContainedPackage {
  readonly name: string;
  readonly version: string;
  /** By SPDX, as it says itself. */
  readonly license: string;
  /** The texts of its licenses, and of what they want to be repeated. */
  readonly licenseTexts: readonly string[];
}

/** What Bun tells of a build. */
interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

const PACKAGE = /^(?<folder>.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/**
 * The packages that are really in an executable: not those that are installed, nor those of which nothing is left.
 *
 * @param metafile text that the build has written
 * @param root the folder that its paths begin at
 */
export function containedPackages(metafile: string, root: string): ContainedPackage[] {
  const { outputs }: Metafile = JSON.parse(metafile);
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => PACKAGE.exec(path)?.groups?.folder)
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)]
    .map((folder) => packageIn(join(root, folder)))
    .sort((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1));
}

function packageIn(folder: string): ContainedPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const licenseTexts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8'));
  return { name, version, license, licenseTexts };
}
