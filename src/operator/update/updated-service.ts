import { existsSync } from 'node:fs';
import { Fault } from '../../lib/fault.ts';
import type { Environment } from '../../settings/config.ts';
import { databasePath } from '../../storage/engine/data-directory.ts';
import { findService, withSettings } from '../doctor/service-facts.ts';
import { isUnderWay, type Unit } from '../doctor/unit.ts';
import { askReadiness, type ServedAt } from './readiness.ts';

const ROOT = 0;

/** The service whose executable is replaced. */
export interface UpdatedService {
  /** As `systemctl` takes it. */
  readonly name: string;
  /** Undefined where there is no systemd, or it knows no such unit for these data. */
  readonly unit: Unit | undefined;
  /** Whether it is to be restarted: it runs, or has failed. */
  readonly isToRun: boolean;
  readonly environment: Environment;
  readonly dataDir: string;
  /** Where it has its database; `none` = it was not created yet. */
  readonly store: 'embedded' | 'postgresql' | 'none';
  readonly servedAt: ServedAt;
}

/**
 * Finds the service of a systemd unit as root or the current user sees it.
 *
 * @throws Fault when systemd does not answer, the service has unreadable settings, or runs and the current user cannot restart it
 */
export async function findUpdatedService(name: string): Promise<UpdatedService> {
  const found = findService(process.env, name);
  const [doubt] = found.doubts;
  // What is not known of the settings could be another database, or another port.
  if (doubt) throw new Fault(`${doubt.what}: ${doubt.do}`);
  const { unit, environment, dataDir } = found;
  const isToRun = unit !== undefined && (isUnderWay(unit) || unit.properties.ActiveState === 'failed');
  if (isToRun && process.geteuid?.() !== ROOT)
    throw new Fault(`updating restarts ${unit.id}. Run it as root, for example with sudo`);
  return withSettings(found, async ({ config }) => {
    const isEmbedded = config.databaseUrl === undefined;
    const store = isEmbedded ? (existsSync(databasePath(dataDir)) ? 'embedded' : 'none') : 'postgresql';
    const servedAt = { host: config.host, port: config.port, isTls: config.tlsCert !== undefined };
    return { name, unit, isToRun, environment, dataDir, store, servedAt };
  });
}

/**
 * What keeps a service that runs from being ready.
 *
 * @throws Fault when it does not answer where the settings say: the readiness of a new release could not be checked there
 */
export async function problemsOf({ unit, isToRun, servedAt }: UpdatedService): Promise<readonly string[]> {
  if (!isToRun || unit?.properties.ActiveState !== 'active' || servedAt.port === 0) return [];
  const problems = await askReadiness(servedAt);
  if (problems) return problems;
  const { host, port } = servedAt;
  throw new Fault(
    `${unit.id} is running, but does not respond on ${host}, port ${port}. Run this command with its settings or, if it hangs, stop it first`,
  );
}
