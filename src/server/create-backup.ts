import { execFile } from 'node:child_process';
import { HOUR_MS } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { CreateBackup } from '../operator/backup-desk.ts';
import type { Command } from './analyst.ts';

const LASTS_MS_MAX = 12 * HOUR_MS;
const PRINTED_BYTES_MAX = 1024 * 1024;

/**
 * Creates backups with `redoubt backup create`, like the timer, in a process of low priority that is killed with this one.
 *
 * @param program this program, without a command
 */
export const createBackupBy =
  ([program, ...words]: Command): CreateBackup =>
  (ended) =>
    new Promise((resolve, reject) => {
      const options = {
        argv0: 'redoubt',
        signal: ended,
        killSignal: 'SIGKILL' as const,
        timeout: LASTS_MS_MAX,
        maxBuffer: PRINTED_BYTES_MAX,
      };
      execFile(program, [...words, 'backup', 'create', '--json'], options, (error, _, printed) => {
        if (error === null) resolve();
        else
          reject(new Fault(`redoubt backup create: ${printed.trim().split('\n').at(-1) || error.message}`));
      });
    });
