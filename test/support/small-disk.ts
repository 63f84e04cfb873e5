import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './temporary.ts';

/** A separate file system, so that a disk can be full in a test. */
export interface SmallDisk {
  readonly directory: string;
  /** Leaves the given number of bytes free. */
  fill(freeBytes?: number): void;
  /** Frees the space again. */
  clear(): void;
  unmount(): void;
}

/** Creates one of the given size; undefined where this process may not mount. */
export function smallDisk(bytes: number): SmallDisk | undefined {
  const directory = temporaryDirectory();
  const { status } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${bytes},mode=700`,
    'small-disk',
    directory,
  ]);
  if (status !== 0) return undefined;
  const filler = join(directory, 'filler');
  const clear = () => rmSync(filler, { force: true });
  return {
    directory,
    fill(freeBytes = 0) {
      clear();
      const { bavail, bsize } = statfsSync(directory);
      writeFileSync(filler, Buffer.alloc(bavail * bsize - freeBytes));
    },
    clear,
    unmount: () => void spawnSync('umount', ['--lazy', directory]),
  };
}
