import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isoInName } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';

const NAMES_MAX = 1_000;

/**
 * An unused name, in the data directory, for a directory of replaced files: there may be several in one second, or the clock
 * may be set back.
 *
 * @param now milliseconds since the Unix epoch
 * @throws Fault
 */
export function beforeName(dataDir: string, occasion: 'restore' | 'rollback', now: number): string {
  const name = `before-${occasion}-${isoInName(now)}`;
  const names = [name, ...Array.from({ length: NAMES_MAX }, (_, at) => `${name}-${at + 2}`)];
  const free = names.find((one) => !existsSync(join(dataDir, one)));
  if (free === undefined)
    throw new Fault(`too many files named ${join(dataDir, name)} exist. Move them away`);
  return free;
}
