import { Command, Option } from 'commander';
import { SECOND_MS } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { goBack, type ServiceNow, type WayBack } from '../operator/update/go-back.ts';
import { type UpdateOutcome, update } from '../operator/update/update.ts';
import { wholeNumber } from '../terminal/options.ts';
import { CommandRefused, Ended, NotWritten, print, printJson, tell, WrongUsage } from '../terminal/output.ts';

interface UpdateCommandOptions {
  readonly back?: true;
  readonly olderData?: true;
  readonly service: string;
  readonly wait: number;
  readonly json?: true;
}

/** A service that is ready at once is looked at as long. */
const WAIT_SECONDS_MIN = 5;

function waitIn(text: string): number {
  const seconds = wholeNumber('--wait', 5)(text);
  if (seconds < WAIT_SECONDS_MIN) throw new WrongUsage(`--wait must be ${WAIT_SECONDS_MIN} seconds or more`);
  return seconds;
}

/** The exit code of an update that was undone, or should have been. */
const ROLLED_BACK = 3;

/** Replaces the executable by that of a newer release, or by the one before. */
export function updateCommand(): Command {
  return new Command('update')
    .description(
      'update to a newer release and restart the service; rolls back automatically if it does not become ready',
    )
    .argument('[file]', 'executable or Debian package of a release, with its signature next to it')
    .option('--back', 'restore the executable that the last update replaced')
    .option(
      '--older-data',
      'with --back: also restore the database from before the update; the current one is kept',
    )
    .option('--service <name>', 'the systemd unit of the service', 'redoubt')
    .addOption(
      new Option('--wait <seconds>', 'seconds for the service to become ready').argParser(waitIn).default(60),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 updated, 1 refused, 3 not ready and rolled back\n\nExample:\n  redoubt update /mnt/stick/redoubt-0.2.0-linux-x64',
    )
    .action(async (file: string | undefined, options: UpdateCommandOptions) => {
      const { back, olderData, service, json } = options;
      if ((file === undefined) === (back === undefined))
        throw new WrongUsage('update requires a release file, or --back');
      if (olderData && !back) throw new WrongUsage('--older-data requires --back');
      const waitMs = options.wait * SECOND_MS;
      if (file === undefined) {
        const done = await goBack({ service, waitMs, olderData: olderData === true });
        show(json ? { outcome: 'back', ...done } : wayBackInWords(done, service));
        if (done.problem !== null) throw new Ended(ROLLED_BACK);
        return;
      }
      const done = await update({ file, service, waitMs, say: tell }).catch(naming(file));
      show(json ? done : inWords(done, service));
      if (done.outcome === 'rolled_back' || done.outcome === 'stuck') throw new Ended(ROLLED_BACK);
    });
}

/** What has happened decides the exit code, whether or not anybody can read it. */
function show(what: object | string): void {
  try {
    if (typeof what === 'string') print(what);
    else printJson(what);
  } catch (error) {
    if (!(error instanceof NotWritten)) throw error;
    tell(typeof what === 'string' ? what.replaceAll('\n', '; ') : JSON.stringify(what));
  }
}

const naming =
  (file: string) =>
  (error: unknown): never => {
    throw error instanceof Fault ? new CommandRefused(`${file}: ${error.message}`) : error;
  };

const SERVICE_WORDS: Readonly<Record<ServiceNow, (service: string) => string>> = {
  ready: (service) => `${service} was restarted and is ready`,
  not_ready: (service) => `${service} was restarted and is not ready`,
  untouched: () => 'the executable had not been replaced; nothing was changed',
  stopped: (service) => `${service} was not running. Run systemctl start ${service}`,
  unknown: (service) => `systemd has no ${service} for this data. Restart the service yourself`,
};

function inWords(done: UpdateOutcome, service: string): string {
  if (done.outcome === 'nothing') return `redoubt ${done.version} is already installed`;
  if (done.outcome === 'stuck')
    return [
      `redoubt ${done.tried} was not ready: ${done.why}`,
      `it could not be rolled back (${done.reason}) and was started again`,
      'once that is fixed, run redoubt update --back, with --older-data if requested',
    ].join('\n');
  if (done.outcome === 'rolled_back')
    return [
      `redoubt ${done.tried} was not ready: ${done.why}`,
      wayBackInWords(done.back, service),
      `see its journal: journalctl -u ${service} -n 100`,
    ].join('\n');
  const { from, version, migration } = done;
  return [
    `redoubt ${version} replaced ${from}. To roll back, run "redoubt update --back"`,
    ...(migration
      ? [`at startup, it migrates the database from version ${migration.from} to ${migration.to}`]
      : []),
    SERVICE_WORDS[done.service](service),
  ].join('\n');
}

function wayBackInWords(
  { version, isPackaged, kept, service: now, problem }: WayBack,
  service: string,
): string {
  return [
    `redoubt ${version} is installed${now === 'untouched' ? '' : ' again'}`,
    ...(isPackaged
      ? [`dpkg still lists the newer package. Run "dpkg -i" with the package of ${version}`]
      : []),
    ...(kept ? [`the database from before the update is restored; the newer one is in ${kept}`] : []),
    problem === null ? SERVICE_WORDS[now](service) : `it is not ready either: ${problem}`,
  ].join('\n');
}
