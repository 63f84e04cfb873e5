import { Option } from 'commander';
import { identitiesIn } from '../lib/age-file.ts';
import { counted } from '../lib/counted.ts';
import { Fault } from '../lib/fault.ts';
import { readFileAtMost } from '../lib/read-file.ts';
import type { DatabaseElsewhere } from '../storage/backup/manifest.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { CommandRefused, tell, WrongUsage } from '../terminal/output.ts';
import { saySeldom } from './progress.ts';

// What the commands that make and read backups share.

const MB = 1_000_000;

export const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;

/** What is in a backup, as far as it says something to people. */
export const countsInWords = ({
  licenses = 0,
  sites = 0,
  events = 0,
}: Readonly<Record<string, number>>): string =>
  `${counted(licenses, 'license')}, ${counted(sites, 'site')} and ${counted(events, 'event')}`;

/** Describes the database that a backup belongs to and does not contain. */
export const databaseInWords = ({ name, version }: DatabaseElsewhere): string =>
  `the database ${name} (PostgreSQL ${version}) is not included. Back it up with pg_dump, or base backups and archived WAL (docs/scaling.md#back-up-and-restore)`;

const IDENTITY_BYTES_MAX = 64 * 1024;

export const identityOption = () =>
  new Option('--age-identity <file>', 'your age private key file, for an encrypted backup').argParser(
    identitiesOf,
  );

function identitiesOf(path: string): readonly string[] {
  try {
    const bytes = readFileAtMost(path, IDENTITY_BYTES_MAX);
    if (bytes === undefined) throw new WrongUsage(`${path} is too large for an age key`);
    return identitiesIn(bytes.toString());
  } catch (error) {
    if (error instanceof WrongUsage) throw error;
    throw new WrongUsage(`cannot read --age-identity ${path}: ${wordsFor(error)}`);
  }
}

/** Refuses a backup by its name. */
export function refusingFile(path: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof Fault ? new CommandRefused(`${path}: ${error.message}`) : error;
  };
}

/** Prints how much of a backup was read. */
export function readingProgress(): (done: number, all: number) => void {
  const sayNow = saySeldom(tell);
  return (done, all) => sayNow(() => `reading, ${megabytes(done)} of ${megabytes(all)}`);
}

/** Removes files when this process is asked to end early. */
export function onEnd(remove: () => void): void {
  for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 })) {
    process.once(signal, () => {
      remove();
      process.exit(128 + number);
    });
  }
}
