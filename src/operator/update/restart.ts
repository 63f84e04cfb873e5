import { askProgram } from '../../lib/ask-program.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { isUnderWay, numberOf, readUnit, type Unit } from '../doctor/unit.ts';
import { askReadiness } from './readiness.ts';
import type { UpdatedService } from './updated-service.ts';

const LOOK_MS = 500;
/** Of the same process, so that one which ends soon after its start is not taken for ready. */
const READY_LOOKS = 4;
/** systemd restarts an ended service after a second; one that ends this often will not recover. */
const RESTARTS_MAX = 3;
/** Beyond the time that a unit is given to stop. */
const STOP_MS_MAX = 120 * SECOND_MS;

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

/**
 * Restarts a service, and waits until it is as ready as it was before.
 *
 * @param problems that it had before, which do not count against it
 * @param msMax how long that may take, in milliseconds
 * @returns what keeps it from being ready, in words for the operator; undefined when it is
 */
export async function restart(
  { name, servedAt }: UpdatedService,
  problems: readonly string[],
  msMax: number,
): Promise<string | undefined> {
  const before = look(name).unit?.properties.InvocationID;
  if (!isOrdered('restart', name)) return `systemctl cannot restart ${name}`;
  const endsAt = performance.now() + msMax;
  let restartsBefore: number | undefined;
  for (let [looks, process] = [0, '']; ; ) {
    await pause();
    const { unit, silence } = look(name);
    const { InvocationID, MainPID = '' } = unit?.properties ?? {};
    // What systemd says of the process before is not about this one.
    const isNew = unit !== undefined && InvocationID !== before;
    const why = isNew
      ? await notReady(unit, servedAt, problems)
      : (silence ?? `${name} still runs the old process`);
    if (why !== undefined) looks = 0;
    else looks = MainPID === process ? looks + 1 : 1;
    process = MainPID;
    if (looks >= READY_LOOKS) return undefined;
    // systemd goes on counting for a unit that it was about to start anyway.
    if (isNew) restartsBefore ??= restartsOf(unit);
    if (why !== undefined && isNew && isLost(unit, restartsBefore ?? 0)) return why;
    if (looks === 0 && performance.now() > endsAt)
      return `${why ?? `${name} did not stay ready`}, ${Math.round(msMax / SECOND_MS)} seconds after its start`;
  }
}

/** What systemd says of a unit, or why it says nothing. */
function look(name: string): { readonly unit?: Unit | undefined; readonly silence?: string } {
  try {
    const unit = readUnit(name);
    return unit ? { unit } : { silence: `systemd has no unit ${name}` };
  } catch (error) {
    return { silence: (error as Error).message };
  }
}

function isOrdered(verb: 'restart' | 'stop', name: string): boolean {
  try {
    return askProgram('systemctl', verb, '--no-block', '--', name) !== undefined;
  } catch {
    return false;
  }
}

/** Whether there is nothing to wait for. */
const isLost = (unit: Unit, restartsBefore: number): boolean =>
  unit.properties.ActiveState === 'failed' || restartsOf(unit) - restartsBefore >= RESTARTS_MAX;

const restartsOf = ({ properties: { NRestarts } }: Unit): number => numberOf(NRestarts) ?? 0;

async function notReady(
  { id, properties: { ActiveState, Result, ExecMainStatus } }: Unit,
  servedAt: UpdatedService['servedAt'],
  problems: readonly string[],
): Promise<string | undefined> {
  if (ActiveState !== 'active')
    return Result === 'success'
      ? `${id} has not started`
      : `${id} exits at startup (${Result}, exit status ${ExecMainStatus})`;
  // A service with a port chosen at each start cannot be asked.
  if (servedAt.port === 0) return undefined;
  const now = await askReadiness(servedAt);
  if (now === undefined) return `${id} does not respond`;
  const worse = now.filter((problem) => !problems.includes(problem));
  return worse.length === 0 ? undefined : `${id} is not ready: ${worse.join(', ')}`;
}

/**
 * Stops a service, and waits until it has ended.
 *
 * @throws Fault when it does not
 */
export async function stop({ name }: UpdatedService): Promise<void> {
  if (!isOrdered('stop', name)) throw new Fault(`systemctl cannot stop ${name}`);
  for (const endsAt = performance.now() + STOP_MS_MAX; ; ) {
    await pause();
    const { unit } = look(name);
    if (unit && !isUnderWay(unit)) return;
    if (performance.now() > endsAt)
      throw new Fault(`${name} did not stop within ${STOP_MS_MAX / SECOND_MS} seconds`);
  }
}

/** Restarts a service with the current files, without waiting for it. */
export const startAgain = ({ name }: UpdatedService): boolean => isOrdered('restart', name);
