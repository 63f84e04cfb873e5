import { existsSync } from 'node:fs';
import { Fault, reasonOf } from '../../lib/fault.ts';
import { type Environment, shownConfig } from '../../settings/config.ts';
import { compareSettings, type SettingChanges, type ShownSettings } from '../../settings/setting-changes.ts';
import { DataDirectoryUnusable, databasePath } from '../../storage/engine/data-directory.ts';
import { connectToLook, type Database, disconnect } from '../../storage/engine/database.ts';
import { asOwner } from '../../storage/engine/ownership.ts';
import { readNewestMoment } from '../../storage/newest-moment.ts';
import { askSettings, controlPath } from '../control.ts';
import { judgeClock, readSynchronization } from './clock.ts';
import { judgeCredentials } from './credentials.ts';
import { examineDatabase, examineDirectory } from './directory.ts';
import { judgeDropIns } from './drop-ins.ts';
import { type Finding, failure, worded } from './finding.ts';
import { availableMemory, judgeMemory } from './memory.ts';
import { firstFreePort, judgePort, listeningsOf, whyNotFree } from './ports.ts';
import { judgeRoom, readGrowth, roomOf } from './room.ts';
import { type Found, findService, type ReadSettings, readSettings } from './service-facts.ts';
import { judgeChanges, judgeSettings } from './settings.ts';
import { examineBackup, examineMirror, examinePayments } from './stored.ts';
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
  readonly running: Running;
  readonly directory: ReturnType<typeof examineDirectory>;
  readonly database: ReturnType<typeof examineDatabase>;
  /** Open for reading; undefined where it cannot be relied on. */
  readonly db: Database | undefined;
  readonly isRoot: boolean;
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
  checkSettings,
  async ({ db, now }) =>
    judgeClock({ now, newest: db ? await readNewestMoment(db) : 0, isSynchronized: readSynchronization() }),
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
  const found = findService(environment, unit);
  const isRoot = isRootNow();
  try {
    return await asOwnerOf(found.dataDir, () => examineAs(found, isRoot));
  } catch (error) {
    if (!(error instanceof DataDirectoryUnusable)) throw error;
    return [worded('data-directory-owner', error, 'run this as its owner')];
  }
}

async function examineAs(found: Found, isRoot: boolean): Promise<Finding[]> {
  const settings = readSettings(found);
  const { dataDir } = settings.config;
  const directory = examineDirectory(dataDir);
  const database =
    directory.state === 'usable' ? examineDatabase(dataDir) : { findings: [], isCurrent: false };
  const running = await askRunning(dataDir);
  const db = database.isCurrent ? connectToLook(databasePath(dataDir)) : undefined;
  const facts = { ...found, ...settings, directory, database, running, db, isRoot, now: Date.now() };
  const findings: Finding[] = [];
  try {
    for (const check of CHECKS) findings.push(...(await checked(check, facts)));
  } finally {
    if (db) disconnect(db);
  }
  return findings;
}

/** A check that fails leaves the rest to tell what they find. */
async function checked(check: Check, facts: Facts): Promise<readonly Finding[]> {
  try {
    return await check(facts);
  } catch (error) {
    return [failure('examination-failed', `a check failed (${reasonOf(error)})`, 'run this again')];
  }
}

/** What there is to say of settings. */
export interface SettingsExamination {
  /** One that is none is an error here. */
  readonly findings: readonly Finding[];
  /** Undefined where no server runs that could be asked, or something is wrong, which nobody takes over. */
  readonly changes: SettingChanges | undefined;
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
  const isRoot = isRootNow();
  return asOwnerOf(found.dataDir, async () => {
    const settings = readSettings(found);
    const findings = checkSettings({ ...found, ...settings, isRoot, now: Date.now() });
    const running = await askRunning(found.dataDir);
    const isComparable = typeof running !== 'string' && settings.isWhole;
    return {
      findings: findings.map((finding) =>
        finding.id === 'setting-unknown' ? { ...finding, severity: 'error' } : finding,
      ),
      changes: isComparable ? compareSettings(running, shownConfig(settings.config)) : undefined,
    };
  });
}

const isRootNow = (): boolean => process.geteuid?.() === 0;

const asOwnerOf = <Value>(directory: string, work: () => Promise<Value>): Promise<Value> =>
  existsSync(directory) ? asOwner(directory, work) : work();

async function askRunning(dataDir: string): Promise<Running> {
  try {
    return (await askSettings(controlPath(dataDir))) ?? 'none';
  } catch (error) {
    if (error instanceof Fault) return 'silent';
    throw error;
  }
}

function checkSettings(facts: Found & ReadSettings & Pick<Facts, 'isRoot' | 'now'>): readonly Finding[] {
  const { faults, unknown, input, unit, named, handed, isRoot, now } = facts;
  const { certificate, adminCertificate, securityTxt } = input;
  return [
    ...judgeSettings({ faults, unknown, certificate, adminCertificate, securityTxt, now }),
    ...(unit === undefined ? [] : judgeCredentials({ unit, named, handed, isRoot })),
  ];
}

async function checkPorts({ config, input, unit, running, directory }: Facts): Promise<readonly Finding[]> {
  const isOfServer = running === 'silent' || (unit !== undefined && running === 'none' && isUnderWay(unit));
  // Whoever may not look into the directory is not told of the server either.
  if (isOfServer || directory.state === 'closed') return [];
  const terms = { isAdminPortSet: input.isAdminPortSet === true, hasUnit: unit !== undefined };
  const findings: Finding[] = [];
  for (const listening of listeningsOf(config, running === 'none' ? undefined : running)) {
    const code = await whyNotFree(listening);
    if (code !== undefined) findings.push(...judgePort(listening, code, terms));
  }
  return findings;
}

function checkRunning({ running, config, dataDir, isWhole }: Facts): readonly Finding[] {
  if (running === 'none') return [];
  if (running === 'silent') {
    const what = `a server uses ${dataDir}, but does not tell its settings: it hangs, or is of an older version`;
    return [failure('server-silent', what, 'look at its log, then restart it')];
  }
  return isWhole ? judgeChanges(compareSettings(running, shownConfig(config))) : [];
}
