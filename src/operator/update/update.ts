import { iso, SECOND_MS } from '../../lib/clock.ts';
import { Fault, reasonOf } from '../../lib/fault.ts';
import { lookAtPrevious, putBack, type ServiceNow, type WayBack } from './go-back.ts';
import { type Installed, isPrevious, withInstalled } from './installed.ts';
import { type StagedRelease, stageRelease } from './lay-release.ts';
import { replaceBy } from './replace.ts';
import { restart } from './restart.ts';
import { type Trial, tryRelease } from './try-release.ts';
import { noteUpdate, readUnfinished, removeNote } from './unfinished.ts';
import { findUpdatedService, problemsOf, type UpdatedService } from './updated-service.ts';

export interface UpdateOptions {
  /** A release, with its signature beside it. */
  readonly file: string;
  /** Of its systemd unit. */
  readonly service: string;
  /** How long the service may take to be ready, in addition to the migration. */
  readonly waitMs: number;
  /** Prints the next step, in one line. */
  readonly say: (line: string) => void;
}

export type UpdateOutcome =
  | { readonly outcome: 'nothing'; readonly version: string }
  | {
      readonly outcome: 'updated';
      readonly from: string;
      readonly version: string;
      readonly migration: Trial['migration'];
      readonly service: Exclude<ServiceNow, 'not_ready' | 'untouched'>;
    }
  | { readonly outcome: 'rolled_back'; readonly tried: string; readonly why: string; readonly back: WayBack }
  /** It is installed and not ready, and `reason` kept it from being rolled back. */
  | { readonly outcome: 'stuck'; readonly tried: string; readonly why: string; readonly reason: string };

/** A start copies, migrates and looks through the database, which the trial did as well. */
const STARTS_PER_TRIAL = 3;

/**
 * Replaces the installed executable by a release: only by a newer one of ours, that accepts the settings and could migrate a
 * copy of the database. Then it restarts the service, and goes back automatically when that does not become ready.
 *
 * @throws Fault or DataDirectoryUnusable when it is refused; nothing has changed then
 */
export async function update({ file, service: name, waitMs, say }: UpdateOptions): Promise<UpdateOutcome> {
  if (isPrevious())
    throw new Fault('this is the executable of the previous version. It supports only --back');
  const service = await findUpdatedService(name);
  return withInstalled(service.unit, async (installed) => {
    const problems = await problemsOf(service);
    const staged = stageRelease(file, installed);
    try {
      if (staged.succession === 'same')
        return await finish(staged.release.version, { installed, service, problems, waitMs });
      const { version } = staged.release;
      say(`redoubt ${version} is genuine and newer; trying it with the settings and a copy of the database`);
      const { migration } = tryRelease(staged.executable, service);
      replace(staged, installed);
      const waitInAllMs = waitMs + (migration?.seconds ?? 0) * STARTS_PER_TRIAL * SECOND_MS;
      const seconds = Math.ceil(waitInAllMs / SECOND_MS);
      if (service.isToRun) say(`restarting ${name}; waiting up to ${seconds} seconds until it is ready`);
      return await unlessEnded(() =>
        putIntoService({ version, migration }, { installed, service, problems, waitMs: waitInAllMs }),
      );
    } finally {
      staged.remove();
    }
  });
}

interface Watch {
  readonly installed: Installed;
  readonly service: UpdatedService;
  /** That it had before. */
  readonly problems: readonly string[];
  readonly waitMs: number;
}

/**
 * The end of an update whose process was killed: data may have been acknowledged since, so it never goes back automatically.
 */
async function finish(version: string, watch: Watch): Promise<UpdateOutcome> {
  const { installed, service, problems, waitMs } = watch;
  const noted = readUnfinished(installed.path);
  if (noted?.to !== version) {
    removeNote(installed.path);
    return { outcome: 'nothing', version };
  }
  const why = service.isToRun ? await restart(service, problems, waitMs) : undefined;
  if (why !== undefined)
    throw new Fault(
      `it is installed but not ready (${why}). To roll back to redoubt ${noted.from}, run "${installed.path} update --back"`,
    );
  return updated(noted.from, { version, migration: undefined }, watch);
}

interface Replaced {
  readonly version: string;
  readonly migration: Trial['migration'];
}

function updated(
  from: string,
  replaced: Replaced,
  { installed, service: { isToRun, unit } }: Watch,
): UpdateOutcome {
  removeNote(installed.path);
  const service = isToRun ? 'ready' : unit ? 'stopped' : 'unknown';
  return { outcome: 'updated', from, ...replaced, service };
}

async function putIntoService(replaced: Replaced, watch: Watch): Promise<UpdateOutcome> {
  const { installed, service, problems, waitMs } = watch;
  const why = service.isToRun ? await restart(service, problems, waitMs) : undefined;
  if (why === undefined) return updated(installed.running.version, replaced, watch);
  const tried = replaced.version;
  try {
    const previous = await lookAtPrevious(installed, service);
    return {
      outcome: 'rolled_back',
      tried,
      why,
      back: await putBack(installed, service, previous, problems, waitMs),
    };
  } catch (error) {
    return { outcome: 'stuck', tried, why, reason: error instanceof Error ? error.message : reasonOf(error) };
  }
}

function replace(staged: StagedRelease, installed: Installed): void {
  const { version: from } = installed.running;
  noteUpdate(installed.path, { from, to: staged.release.version, at: iso(Date.now()) });
  try {
    replaceBy(staged, installed);
  } catch (error) {
    removeNote(installed.path);
    throw error;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Continues after the terminal is closed: the update of a service must not be left half done. */
async function unlessEnded<Value>(work: () => Promise<Value>): Promise<Value> {
  const ignore = () => {};
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}
