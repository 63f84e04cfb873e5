import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../../src/lib/fault.ts';
import { DEBIAN_LOCK, DEBIAN_PINS, DEBIAN_RELEASE, type DebianPin, fileNameOf } from './debian-lock.ts';

/** Says where unpacked packages are. */
export type Unpacked = (pin: DebianPin) => string;

/**
 * Fetches the pinned packages with apt, in folders of its own, so that neither the host's packages nor its architectures matter, and unpacks
 * them. A package of another hash is refused.
 *
 * @param work an empty folder
 * @param given a folder that may have the packages already, for a host without apt or after Debian has replaced them
 * @throws Fault, whose message says what to do
 */
export function fetchDebian(work: string, given: string | undefined): Unpacked {
  const fetched = join(work, 'packages');
  mkdirSync(fetched, { recursive: true });
  const architectures = new Set(DEBIAN_PINS.map(({ architecture }) => architecture));
  for (const architecture of architectures) {
    const pins = DEBIAN_PINS.filter((pin) => pin.architecture === architecture);
    const missing = pins.filter((pin) => !isCopied(pin, given, fetched));
    // Those of every architecture are in the lists of any.
    if (missing.length > 0)
      download(missing, architecture === 'all' ? 'amd64' : architecture, join(work, architecture), fetched);
  }
  const folderOf = (pin: DebianPin) => join(work, 'unpacked', `${pin.name}-${pin.architecture}`);
  for (const pin of DEBIAN_PINS) {
    const path = join(fetched, fileNameOf(pin));
    refuseOther(pin, path);
    mkdirSync(folderOf(pin), { recursive: true });
    run('dpkg-deb', ['--extract', path, folderOf(pin)], fetched);
  }
  return folderOf;
}

function isCopied(pin: DebianPin, given: string | undefined, to: string): boolean {
  const path = given === undefined ? '' : join(given, fileNameOf(pin));
  if (!existsSync(path)) return false;
  copyFileSync(path, join(to, fileNameOf(pin)));
  return true;
}

function download(pins: readonly DebianPin[], architecture: string, state: string, to: string): void {
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(state, folder), { recursive: true });
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'Dir::State': state,
    'Dir::State::lists': join(state, 'lists'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(state, 'cache'),
    // As the user who runs this, who may be root: apt's own user cannot write here.
    'APT::Sandbox::User': '',
    'APT::Get::List-Cleanup': '0',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const names = pins.map(({ name, version }) => `${name}=${version}`);
  run('apt-get', [...options, '--quiet=2', 'update'], to);
  run('apt-get', [...options, '--quiet=2', 'download', ...names], to);
}

function refuseOther(pin: DebianPin, path: string): void {
  const found = existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found !== pin.sha256) throw new Fault(`${fileNameOf(pin)} is not the package that ${DEBIAN_LOCK} pins`);
}

function run(program: string, words: readonly string[], cwd: string): void {
  try {
    execFileSync(program, words, { cwd, stdio: 'pipe', env: { ...process.env, LC_ALL: 'C' } });
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: unknown };
    const why = code === 'ENOENT' ? `${program} is missing` : String(stderr).trim();
    throw new Fault(
      `the packages for the image need apt with the sources of Debian ${DEBIAN_RELEASE}, or --debian-packages FOLDER with the files that ${DEBIAN_LOCK} pins: ${why}`,
    );
  }
}
