import { Fault, faultOf, reasonOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Credentials } from '../lib/read-file.ts';
import type { Turns } from '../lib/turns.ts';
import { outcomeWords, type ReloadOutcome } from '../operator/control.ts';
import type { ReloadState } from '../routes/service-health.ts';
import type { Environment } from '../settings/config.ts';
import { adopt, loadInput, type ServiceInput, warnOf } from '../settings/service-input.ts';

export interface ReloadParts {
  readonly environment: Environment;
  readonly initial: ServiceInput;
  /** Applies an input completely, or throws and changes nothing. */
  readonly apply: (input: ServiceInput) => Promise<void>;
  readonly state: ReloadState;
  readonly log: Log;
  /** Shared with everything else that changes or stops the service. */
  readonly turns: Turns;
  /** Shows the outcome as systemd's status of the service. */
  readonly tell: (outcome: string) => void;
}

/**
 * Applies changed settings and renewed certificates, one reload at a time. A failed reload changes nothing.
 *
 * @returns a function that reloads with the given credentials, or with the last ones by default
 */
export function createReload(parts: ReloadParts): (credentials?: Credentials) => Promise<ReloadOutcome> {
  const { environment, apply, state, log, turns, tell } = parts;
  let running = parts.initial;
  let lastCredentials: Credentials = {};

  const applyNext = async (credentials: Credentials): Promise<readonly string[]> => {
    const next = loadInput(environment, credentials);
    const { input, needRestart } = adopt(running, next);
    warnOf(input, environment, log);
    await apply(input);
    [running, lastCredentials] = [input, credentials];
    log.setLevel(input.config.logLevel);
    return needRestart;
  };

  const attempt = async (credentials: Credentials): Promise<ReloadOutcome> => {
    try {
      const needRestart = await applyNext(credentials);
      Object.assign(state, { hasLastFailed: false, reason: undefined, needRestart });
      log.info('reloaded');
      if (needRestart.length > 0) log.warn('a restart is required', { settings: needRestart.join(', ') });
      return { reloaded: true, needRestart };
    } catch (error) {
      const reason = reasonOf(error);
      Object.assign(state, { hasLastFailed: true, reason });
      const fault = error instanceof Fault ? undefined : faultOf(error);
      log.error('reload failed; the previous settings remain in effect', { reason, fault });
      return { reloaded: false, reason };
    }
  };

  return (credentials) =>
    turns.take(async () => {
      const outcome = await attempt(credentials ?? lastCredentials);
      tell(outcomeWords(outcome));
      return outcome;
    });
}
