import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUN, DENO, type RunningService, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { SETTINGS } from './kept.ts';
import { importVulnerability } from './known-vulnerability.ts';

const COMMANDS = {
  bun: [BUN],
  deno: [DENO, 'run', '--quiet', '-A'],
} as const;

/** Serves a data directory from the source of this tree, with the clock stopped at a moment. */
export async function startAt(
  heldAt: number,
  directory: string,
  runtime: keyof typeof COMMANDS = 'bun',
): Promise<RunningService> {
  const executable = join(temporaryDirectory(), 'redoubt');
  const words = [...COMMANDS[runtime], join(import.meta.dir, 'held-clock.ts')];
  writeFileSync(executable, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
    mode: 0o700,
  });
  const env = { ...SETTINGS, SERVICE_DATA_DIR: directory, HELD_AT: String(heldAt) };
  const service = await start('binary', env, { executable });
  // Backups do not contain imported data.
  await importVulnerability(service, heldAt);
  return service;
}
