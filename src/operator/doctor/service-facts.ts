import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { Fault, reasonOf } from '../../lib/fault.ts';
import { Faults } from '../../lib/faults.ts';
import type { Credentials } from '../../lib/read-file.ts';
import {
  type Config,
  type Environment,
  loadConfig,
  mergedEnvironment,
  tryConfig,
  unknownSettings,
} from '../../settings/config.ts';
import { type TriedInput, tryInput } from '../../settings/service-input.ts';
import { DataDirectoryUnusable } from '../../storage/engine/data-directory.ts';
import { asOwner } from '../../storage/engine/ownership.ts';
import { credentialsDirectory, type NamedCredential, namedCredentials, readNamed } from './credentials.ts';
import { type Finding, worded } from './finding.ts';
import { environmentFilesWith, judgeEnvironmentFiles, judgeSilence } from './systemd.ts';
import { environmentOf, readUnit, type Unit } from './unit.ts';

/** The service as root or the calling user finds it, before work starts as the owner of its data directory. */
export interface Found {
  readonly environment: Environment;
  readonly dataDir: string;
  /** Undefined where systemd knows none, or it is that of another data directory. */
  readonly unit: Unit | undefined;
  readonly named: readonly NamedCredential[];
  readonly handed: Credentials;
  /** The settings of systemd that could not be read. */
  readonly doubts: readonly Finding[];
  readonly isSystemdSilent: boolean;
  readonly isRoot: boolean;
}

/**
 * Finds the service: by the settings of an environment and, beneath them, those of its unit.
 *
 * @param unitName of the unit, which may not be there
 * @param file of settings that are to be read in place of its own
 */
export function findService(environment: Environment, unitName: string, file?: string): Found {
  const asking = new Faults();
  const found = asking.attempt(() => readUnit(unitName));
  const ofUnit = found && environmentOf(found);
  const both = { ...ofUnit, ...environment };
  const unit = ofUnit && isSamePlace(dataDirOf(both), dataDirOf(ofUnit)) ? found : undefined;
  const own = unit === undefined ? environment : both;
  const read = file === undefined ? own : { ...own, SERVICE_CONFIG: file };
  // A unit with another data directory may have this one by such a file.
  const pattern = unit ? /^\s*SERVICE_/m : /^\s*SERVICE_DATA_DIR\s*=/m;
  const settingsFile = read.SERVICE_CONFIG?.replace(/^-/, '');
  const unread = environmentFilesWith(pattern, found?.text ?? '').filter((path) => path !== settingsFile);
  const doubts = [...judgeSilence(asking.found), ...judgeEnvironmentFiles(unitName, unread)];
  const facts = {
    dataDir: dataDirOf(own),
    unit,
    doubts,
    isSystemdSilent: asking.found.length > 0,
    isRoot: process.geteuid?.() === 0,
  };
  if (unit === undefined) return { ...facts, environment: read, named: [], handed: {} };
  const named = namedCredentials(new Faults().attempt(() => mergedEnvironment(read)) ?? read);
  const environmentOfUnit = { ...read, CREDENTIALS_DIRECTORY: credentialsDirectory(unit) };
  return { ...facts, environment: environmentOfUnit, named, handed: readNamed(unit, named) };
}

/** However they are spelled. */
const isSamePlace = (one: string, other: string): boolean => realPath(one) === realPath(other);

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const dataDirOf = (environment: Environment): string =>
  tryConfig(environment, new Faults(), { secrets: false }).dataDir ?? loadConfig({}).dataDir;

/** The settings that the service would start with. */
export interface ReadSettings {
  /** What is malformed is as if it were not set. */
  readonly config: Config;
  readonly input: TriedInput;
  /** But for those of credentials that cannot be read, of which there are findings of their own. */
  readonly faults: readonly Fault[];
  /** Whether nothing is missing, so that they can be compared with others. */
  readonly isWhole: boolean;
  readonly unknown: readonly string[];
}

/** Reads the settings and opens every file that they name, as the current user. */
export function readSettings({ environment, named, handed }: Found): ReadSettings {
  const faults = new Faults();
  const input = tryInput(environment, faults, handed);
  const unknown = faults.attempt(() => unknownSettings(environment)) ?? [];
  const set = Object.entries(input.config).filter(([, value]) => value !== undefined);
  const unread = named.filter(({ name }) => handed[name] === undefined);
  const isOfUnread = ({ message }: Fault) =>
    unread.some(({ unit, name }) => message.includes(`${credentialsDirectory({ id: unit })}/${name}`));
  return {
    config: { ...loadConfig({}), ...Object.fromEntries(set) },
    input,
    faults: faults.found.filter((fault) => !isOfUnread(fault)),
    isWhole: faults.found.length === 0,
    unknown,
  };
}

/**
 * Runs, as the owner of the data, work that needs the settings. A start by root without a unit reads them before it becomes the
 * owner, and so does this; a unit starts as the owner. If root cannot become the owner, it runs as root, with a finding about
 * that.
 */
export async function withSettings<Value>(
  found: Found,
  work: (settings: ReadSettings, unowned?: Finding) => Promise<Value>,
): Promise<Value> {
  const { dataDir, unit } = found;
  const early = unit === undefined ? readSettings(found) : undefined;
  const asIs = () => work(early ?? readSettings(found));
  try {
    return await (existsSync(dataDir) ? asOwner(dataDir, asIs) : asIs());
  } catch (error) {
    const isOurs = error instanceof DataDirectoryUnusable;
    const told = isOurs ? error : new Fault(`cannot read ${dataDir} (${reasonOf(error)})`);
    return work(
      early ?? readSettings(found),
      worded('data-directory-owner', told, 'run doctor as its owner'),
    );
  }
}
