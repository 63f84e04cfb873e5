import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenFolder, Packed } from '../archive.ts';
import type { DebianArchitecture } from '../debian-package.ts';
import type { DebianPin } from './debian-lock.ts';
import type { Unpacked } from './fetch-debian.ts';

/** The user of the image, which has no other rights. */
export const IMAGE_USER = 10_001;
export const IMAGE_VOLUME = '/data';
export const IMAGE_EXECUTABLE = '/usr/bin/redoubt';

/** Where Debian has the libraries of an architecture, and where the executable looks for the loader. */
const PLACES: Readonly<Record<DebianArchitecture, { readonly libraries: string; readonly loader: string }>> =
  {
    amd64: { libraries: 'lib/x86_64-linux-gnu', loader: 'lib64/ld-linux-x86-64.so.2' },
    arm64: { libraries: 'lib/aarch64-linux-gnu', loader: 'lib/ld-linux-aarch64.so.1' },
  };
/** What the executable names as needed. */
const LIBRARIES = ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'];

const NAMES = {
  'etc/group': `root:x:0:\nredoubt:x:${IMAGE_USER}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'etc/passwd': `root:x:0:0:root:/:/nonexistent\nredoubt:x:${IMAGE_USER}:${IMAGE_USER}:Redoubt:${IMAGE_VOLUME}:/nonexistent\n`,
};

/**
 * The files that the executable needs around it: libraries, certificates of authorities, names of users, and the licenses of all of them. There
 * is no shell.
 */
export function baseFiles(
  architecture: DebianArchitecture,
  pins: readonly DebianPin[],
  unpacked: Unpacked,
): Packed[] {
  const { libraries, loader } = PLACES[architecture];
  const packages = Object.fromEntries(pins.map((pin) => [pin.name, unpacked(pin)]));
  const from = (name: string, path: string, to = path): Packed => ({
    path: to,
    bytes: readFileSync(join(packages[name] ?? '', path)),
    isProgram: to === loader,
  });
  const files = [
    ...Object.entries(NAMES).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
    { path: 'etc/ssl/certs/ca-certificates.crt', bytes: authorities(packages['ca-certificates'] ?? '') },
    ...LIBRARIES.map((name) => from('libc6', `${libraries}/${name}`)),
    from('libc6', `${libraries}/${loader.replace(/^.*\//, '')}`, loader),
    ...Object.keys(packages).map((name) => from(name, `usr/share/doc/${name}/copyright`)),
  ];
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** One file of all, as `update-ca-certificates` writes it. */
function authorities(root: string): Uint8Array {
  const folder = join(root, 'usr/share/ca-certificates/mozilla');
  const names = readdirSync(folder).filter((name) => name.endsWith('.crt'));
  return Buffer.concat(names.sort().map((name) => readFileSync(join(folder, name))));
}

/**
 * The volume belongs to the image's user, and to root's group, which is that of a user given by number alone (Docker's --user, OpenShift): a
 * new volume is as this folder is.
 */
export const OPEN_FOLDERS: readonly OpenFolder[] = [
  { path: `${IMAGE_VOLUME.slice(1)}/`, access: { mode: 0o2770, uid: IMAGE_USER, gid: 0 } },
  { path: 'tmp/', access: { mode: 0o1777, uid: 0, gid: 0 } },
];
