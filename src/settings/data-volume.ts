import { accessSync, constants, existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileWords } from '../lib/file-trouble.ts';

const ROOT = 0;
/** Permissions that a group needs to use a directory: read, write and search. */
const GROUP_WORKS = 0o070;
/** The value of `container` in the container image; images for systemd set the same variable. */
const OF_IMAGE = 'oci';
/** The user of the image. */
const IMAGE_USER = 10_001;

/** The data directory within a volume that belongs to a group of this process instead of its user. */
export const FOLDER_ON_VOLUME = 'redoubt';

/**
 * The data directory: the volume itself, unless it belongs to a group of this user instead of the user, as Kubernetes provides
 * volumes (`fsGroup`). Then it is a folder in the volume that this user creates, because the group must not be able to read keys.
 *
 * @param directory the value of SERVICE_DATA_DIR
 */
export function dataDirectoryOn(directory: string): string {
  const user = process.geteuid?.();
  const volume = statusAt(directory, statSync);
  const isForeign = user !== ROOT && volume?.isDirectory() === true && volume.uid !== user;
  return isForeign && isOfGroup(volume) ? join(directory, FOLDER_ON_VOLUME) : directory;
}

/**
 * Why this process must not use a volume; undefined if it may. In the container image, all reasons are reported here, because
 * options of the container fix them. Elsewhere, the command that uses the directory reports most of them.
 *
 * @param directory the value of SERVICE_DATA_DIR
 * @param container the value of the environment variable `container`
 */
export function whyVolumeRefused(directory: string, container: string | undefined): string | undefined {
  const user = process.geteuid?.() ?? ROOT;
  const isInImage = container === OF_IMAGE;
  if (isInImage && user === ROOT)
    return `the container runs as root. Remove --user 0, or set runAsUser: ${IMAGE_USER}`;
  const volume = statusAt(directory, statSync);
  if (!volume?.isDirectory()) return undefined;
  const folder = join(directory, FOLDER_ON_VOLUME);
  const isOnGroupVolume = dataDirectoryOn(directory) === folder;
  if (isInImage || isOnGroupVolume) {
    // Does not follow a link, which another member of the group may have created.
    const found = statusAt(folder, lstatSync);
    if (found !== undefined && (found.uid !== user || !found.isDirectory()))
      return ofOther(folder, found, user);
  }
  // An empty service must not start next to the data of another user.
  if (isOnGroupVolume && statusAt(join(directory, KEY_FILE), lstatSync) !== undefined)
    return ofOther(directory, volume, user);
  if (!isInImage) return undefined;
  const isUsable = volume.uid === user || isOnGroupVolume;
  if (isUsable) return whyNotWritable(isOnGroupVolume && existsSync(folder) ? folder : directory);
  return volume.uid === ROOT ? ofRoot(directory, volume, user) : ofOther(directory, volume, user);
}

/** Exists in every installation. */
const KEY_FILE = 'installation.key';

const ofOther = (folder: string, { uid }: Stats, user: number): string =>
  uid === user
    ? `${folder} is not a directory. Move it away`
    : `${folder} belongs to user ${uid}, but redoubt runs as user ${user}. Start it as user ${uid}, or run chown -R ${user} on that folder of the volume`;

const ofRoot = (directory: string, { gid, mode }: Stats, user: number): string =>
  `the volume ${directory} belongs to root and group ${gid} (mode ${(mode & 0o7777).toString(8)}), but redoubt runs as user ${user} in the groups ${groups().join(', ')}. Run chown ${user} on the volume. Or run chmod 2770 on it and start with its group: --group-add ${gid}, or fsGroup`;

function whyNotWritable(place: string): string | undefined {
  try {
    accessSync(place, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `${place} is read-only. Mount a volume there, without "ro" or readOnly`;
    return `cannot use ${place}: ${fileWords(error as NodeJS.ErrnoException)}`;
  }
}

const isOfGroup = ({ gid, mode }: Stats): boolean =>
  groups().includes(gid) && (mode & GROUP_WORKS) === GROUP_WORKS;

const groups = (): number[] => [...new Set([process.getegid?.() ?? ROOT, ...(process.getgroups?.() ?? [])])];

/** Undefined if the path is missing or this user cannot see it. */
function statusAt(path: string, stat: (path: string) => Stats): Stats | undefined {
  try {
    return stat(path);
  } catch {
    return undefined;
  }
}
