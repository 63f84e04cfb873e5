import { Fault } from '../../lib/fault.ts';
import { Faults } from '../../lib/faults.ts';
import { type Environment, shownConfig } from '../../settings/config.ts';
import { compareSettings, type SettingChanges, type ShownSettings } from '../../settings/setting-changes.ts';
import { databasePath } from '../../storage/engine/data-directory.ts';
import { type Database, disconnect } from '../../storage/engine/database.ts';
import { connectToLook } from '../../storage/engine/sqlite/database.ts';
import { readNewestMoment } from '../../storage/newest-moment.ts';
import { askSettings, controlPath } from '../control.ts';
import { judgeClock, readSynchronization } from './clock.ts';
import { judgeCredentials } from './credentials.ts';
import { type DirectoryLook, examineDatabase, examineDirectory, examineEvidenceKey } from './directory.ts';
import { judgeDropIns } from './drop-ins.ts';
import { type Finding, failure, lookFailed } from './finding.ts';
import { availableMemory, judgeMemory } from './memory.ts';
import { firstFreePort, judgePort, listeningsOf, whyNotFree } from './ports.ts';
import { judgeRoom, readGrowth, roomOf } from './room.ts';
import { type Found, findService, type ReadSettings, withSettings } from './service-facts.ts';
import { judgeChanges, judgeSettings } from './settings.ts';
import { examineBackup, examineMirror, examinePayments } from './stored.ts';
import { judgeSilence } from './systemd.ts';
import { isUnderWay, judgeUnit } from './unit.ts';

/** What is to be looked at. */
export interface Examination {
  readonly environment: Environment;
  /** The name of the service's systemd unit, which may not be there. */
  readonly unit: string;
}

/** A server that uses the data directory; `silent` = it does not tell its settings, `none` = there is none. */
type Running = ShownSettings | 'silent' | 'none';

/** What the checks look at, read once. */
interface Facts extends Found, ReadSettings {
  /** Undefined where it could not be asked. */
  readonly running: Running | undefined;
  readonly directory: DirectoryLook;
  readonly database: ReturnType<typeof examineDatabase>;
  /** Open for reading; undefined where it cannot be relied on. */
  readonly db: Database | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

type Check = (facts: Facts) => readonly Finding[] | Promise<readonly Finding[]>;

/** In the order in which an operator would mend. */
const CHECKS: readonly Check[] = [
  ({ directory }) => directory.findings,
  async ({ directory, config, db, now }) =>
    directory.state === 'usable' ? judgeRoom(roomOf(config, db && (await readGrowth(db, config, now)))) : [],
  ({ database }) => database.findings,
  ({ directory, config }) => (directory.state === 'usable' ? examineEvidenceKey(config.dataDir) : []),
  checkSettings,
  checkClock,
  ({ unit }) => (unit === undefined ? [] : judgeUnit(unit)),
  ({ unit, config }) => (unit === undefined ? [] : judgeDropIns(unit, config, firstFreePort())),
  checkPorts,
  ({ unit }) => judgeMemory(availableMemory(), unit),
  checkRunning,
  ({ db, config, now }) => (db ? examineBackup(db, config, now) : []),
  ({ db, config, now }) => (db ? examineMirror(db, config, now) : []),
  ({ db }) => (db ? examinePayments(db) : []),
];

/**
 * Looks at an installation and its host, beside a running server or without one, and changes nothing there. Root looks at the data
 * as its owner, and is root again afterwards.
 */
export async function examine({ environment, unit }: Examination): Promise<Finding[]> {
  try {
    const found = findService(environment, unit);
    return await withSettings(found, async (settings, unowned) =>
      unowned ? [unowned, ...checkSettings({ ...found, ...settings })] : examineAs(found, settings),
    );
  } catch (error) {
    return [lookFailed(error)];
  }
}

async function examineAs(found: Found, settings: ReadSettings): Promise<Finding[]> {
  const findings: Finding[] = [];
  const orElse = async <Value>(work: () => Value | Promise<Value>, otherwise: Value): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      findings.push(lookFailed(error));
      return otherwise;
    }
  };
  const { dataDir } = settings.config;
  const nothing: DirectoryLook = { state: 'unusable', findings: [] };
  const directory = await orElse(() => examineDirectory(dataDir), nothing);
  const database =
    directory.state === 'usable' ? examineDatabase(dataDir) : { findings: [], isCurrent: false };
  const running = await orElse<Facts['running']>(() => askRunning(dataDir), undefined);
  const connected = () => (database.isCurrent ? connectToLook(databasePath(dataDir)) : undefined);
  const db = await orElse(connected, undefined);
  const facts = { ...found, ...settings, directory, database, running, db, now: Date.now() };
  try {
    for (const check of CHECKS) findings.push(...(await orElse(async () => check(facts), [])));
  } finally {
    if (db) disconnect(db);
  }
  // What many a check runs into is one thing to mend.
  return [...new Set(findings)];
}

/** What there is to say of settings. */
export interface SettingsExamination {
  /** One that is none is an error here. */
  readonly findings: readonly Finding[];
  /** Undefined where no server runs that could be asked, or something is wrong, which nobody takes over. */
  readonly changes: SettingChanges | undefined;
  /** Undefined where it was not asked, because something is wrong. */
  readonly server: 'none' | 'silent' | 'compared' | undefined;
}

/**
 * Looks at the settings alone, and at the files that they name.
 *
 * @param file of settings in place of the service's own
 */
export async function examineSettings(
  { environment, unit }: Examination,
  file?: string,
): Promise<SettingsExamination> {
  const found = findService(environment, unit, file);
  return withSettings(found, async (settings, unowned) => {
    const findings = [...(unowned ? [unowned] : []), ...checkSettings({ ...found, ...settings })];
    const running = unowned || !settings.isWhole ? undefined : await askRunning(found.dataDir);
    const isCompared = typeof running === 'object';
    return {
      findings: findings.map((finding) =>
        finding.id === 'setting-unknown' ? { ...finding, severity: 'error' } : finding,
      ),
      changes: isCompared ? compareSettings(running, shownConfig(settings.config)) : undefined,
      server: isCompared ? 'compared' : running,
    };
  });
}

async function askRunning(dataDir: string): Promise<Running> {
  try {
    return (await askSettings(controlPath(dataDir))) ?? 'none';
  } catch (error) {
    if (error instanceof Fault) return 'silent';
    throw error;
  }
}

function checkSettings(facts: Found & ReadSettings): readonly Finding[] {
  const { doubts, faults, unknown, input, unit, named, handed, isRoot } = facts;
  const { certificate, adminCertificate, securityTxt } = input;
  return [
    ...doubts,
    ...judgeSettings({ faults, unknown, certificate, adminCertificate, securityTxt, now: Date.now() }),
    ...(unit === undefined ? [] : judgeCredentials({ unit, named, handed, isRoot })),
  ];
}

async function checkClock({ db, now, isSystemdSilent }: Facts): Promise<readonly Finding[]> {
  const asking = new Faults();
  const isSynchronized = isSystemdSilent ? undefined : asking.attempt(readSynchronization);
  const newest = db ? await readNewestMoment(db) : 0;
  return [...judgeSilence(asking.found), ...judgeClock({ now, newest, isSynchronized })];
}

async function checkPorts({ config, input, unit, running, directory }: Facts): Promise<readonly Finding[]> {
  const isOfServer = running === 'silent' || (unit !== undefined && running === 'none' && isUnderWay(unit));
  // Whoever may not look into the directory is not told of the server either.
  if (isOfServer || running === undefined || directory.state === 'closed') return [];
  const terms = { isAdminPortSet: input.isAdminPortSet === true, hasUnit: unit !== undefined };
  const findings: Finding[] = [];
  for (const listening of listeningsOf(config, running === 'none' ? undefined : running)) {
    const code = await whyNotFree(listening);
    if (code !== undefined) findings.push(...judgePort(listening, code, terms));
  }
  return findings;
}

function checkRunning({ running, config, dataDir, isWhole }: Facts): readonly Finding[] {
  if (running === 'none' || running === undefined) return [];
  if (running === 'silent') {
    const what = `a server uses ${dataDir}, but does not tell its settings: it hangs, or is of an older version`;
    return [failure('server-silent', what, 'look at its log, then restart it')];
  }
  return isWhole ? judgeChanges(compareSettings(running, shownConfig(config))) : [];
}
