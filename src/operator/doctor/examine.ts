import { statSync } from 'node:fs';
import { Fault } from '../../lib/fault.ts';
import { Faults } from '../../lib/faults.ts';
import { type Environment, proxiesOfEverybody, secretSetBy, shownConfig } from '../../settings/config.ts';
import { keysDirectory } from '../../settings/keys-directory.ts';
import { compareSettings, type SettingChanges, type ShownSettings } from '../../settings/setting-changes.ts';
import { SETTINGS } from '../../settings/settings.ts';
import { databasePath } from '../../storage/engine/data-directory.ts';
import { type Database, disconnect, isAway } from '../../storage/engine/database.ts';
import { connectToLook } from '../../storage/engine/sqlite/database.ts';
import { readFutureMoments } from '../../storage/future-moments.ts';
import { readNewestMoment } from '../../storage/installation/newest-moment.ts';
import { askSettings, controlPath } from '../control.ts';
import { judgeClock, readSynchronization } from './clock.ts';
import { judgeCredentials } from './credentials.ts';
import {
  type DirectoryLook,
  examineDatabase,
  examineDirectory,
  examineEvidenceKey,
  examineKeysDirectory,
} from './directory.ts';
import { judgeDropIns } from './drop-ins.ts';
import { type Finding, failure, lookFailed } from './finding.ts';
import { findImpostors, judgeImpostor, localListeners } from './impostors.ts';
import { availableMemory, judgeMemory } from './memory.ts';
import { examineOidc } from './oidc.ts';
import { firstFreePort, judgePort, judgeSocketFolders, listeningsOf, whyNotFree } from './ports.ts';
import {
  examineLimitsServer,
  examinePostgres,
  examinePostgresServer,
  type PostgresLook,
} from './postgres.ts';
import { judgeGrowth } from './postgres-judging.ts';
import { judgeRoom, readGrowth, roomOf } from './room.ts';
import { type Found, findService, type ReadSettings, withSettings } from './service-facts.ts';
import { judgeChanges, judgeContact, judgeSettings } from './settings.ts';
import { examineBackup, examineFeedTrusts, examineMirror, examinePayments } from './stored.ts';
import { judgeSilence } from './systemd.ts';
import { isUnderWay, judgeUnit } from './unit.ts';
import { examineUpdate } from './update.ts';

/** The subject of an examination. */
export interface Examination {
  readonly environment: Environment;
  /** The name of the service's systemd unit, which may not be there. */
  readonly unit: string;
}

/** The settings of the running server; `silent` = it does not report them, `none` = it is not running. */
type Running = ShownSettings | 'silent' | 'none';

/** The inputs of the checks, read once. */
interface Facts extends Found, ReadSettings {
  /** Undefined where it could not be asked. */
  readonly running: Running | undefined;
  readonly directory: DirectoryLook;
  readonly store: StoreLook;
  /** Open for reading; undefined where it cannot be relied on. */
  readonly db: Database | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** What a look at the database gives, wherever that is. */
interface StoreLook extends PostgresLook {
  readonly isEmbedded: boolean;
}

type Check = (facts: Facts) => readonly Finding[] | Promise<readonly Finding[]>;

/** In the order of an operator's repairs. */
const CHECKS: readonly Check[] = [
  ({ directory }) => directory.findings,
  ({ config }) =>
    keysDirectory(config) === config.dataDir ? [] : examineKeysDirectory(keysDirectory(config)),
  checkGrowth,
  ({ store }) => store.findings,
  ({ directory, config, store }) =>
    directory.state === 'usable' && store.isEmbedded ? examineEvidenceKey(config.dataDir) : [],
  ({ input }) => (input.limitsAddress ? examineLimitsServer(input.limitsAddress) : []),
  ({ input }) => (input.oidc ? examineOidc(input.oidc) : []),
  checkSettings,
  ({ config }) => judgeContact(config),
  checkClock,
  ({ unit }) => (unit === undefined ? [] : judgeUnit(unit)),
  ({ unit }) => examineUpdate(unit),
  ({ unit, config }) => (unit === undefined ? [] : judgeDropIns(unit, config, firstFreePort())),
  checkPorts,
  ({ unit }) => judgeMemory(availableMemory(), unit),
  checkRunning,
  ({ db, config, now }) => (db ? examineBackup(db, config, now) : []),
  ({ db, config, now }) => (db ? examineMirror(db, config, now) : []),
  ({ db, now }) => (db ? examineFeedTrusts(db, now) : []),
  ({ db }) => (db ? examinePayments(db) : []),
];

/**
 * Examines an installation and its host, with or without a running server, without changing anything. Root examines the data as
 * its owner, and becomes root again afterwards.
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
  let store: StoreLook = { ...NOTHING, isEmbedded: false };
  const orElse = async <Value>(work: () => Value | Promise<Value>, otherwise: Value): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      findings.push(lookFailed(error));
      if (isAway(error)) store.giveUp();
      return otherwise;
    }
  };
  const { dataDir } = settings.config;
  const nothing: DirectoryLook = { state: 'unusable', findings: [] };
  const directory = await orElse(() => examineDirectory(dataDir), nothing);
  store = await orElse(() => examineStore({ ...found, ...settings }, directory), store);
  const running = await orElse<Facts['running']>(() => askRunning(dataDir), undefined);
  const { db } = store;
  const facts = { ...found, ...settings, directory, store, running, db, now: Date.now() };
  try {
    for (const check of CHECKS) findings.push(...(await orElse(async () => check(facts), [])));
  } finally {
    if (db) await disconnect(db);
  }
  // The same finding of several checks is one problem to fix.
  return [...new Set(findings)];
}

const NOTHING: PostgresLook = { findings: [], db: undefined, bytes: 0, giveUp: () => {} };

/** For a malformed address there is a finding about settings. */
async function examineStore(
  { config, input, environment }: Found & ReadSettings,
  { state }: DirectoryLook,
): Promise<StoreLook> {
  if (input.databaseAddress)
    return { ...(await examinePostgres(input.databaseAddress, keysDirectory(config))), isEmbedded: false };
  const isEmbedded = new Faults().attempt(() => secretSetBy(SETTINGS.databaseUrl, environment)) === undefined;
  if (!isEmbedded || state !== 'usable') return { ...NOTHING, isEmbedded };
  const { findings, isCurrent } = examineDatabase(config.dataDir);
  const look = { ...NOTHING, findings, isEmbedded };
  const path = databasePath(config.dataDir);
  try {
    return isCurrent ? { ...look, db: connectToLook(path), bytes: statSync(path).size } : look;
  } catch (error) {
    return { ...look, findings: [...findings, lookFailed(error)] };
  }
}

/** The result of checking settings. */
export interface SettingsExamination {
  /** An unknown name is an error here. */
  readonly findings: readonly Finding[];
  /** Undefined without a running server to ask, or with wrong settings, which no server would apply. */
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
    const findings = [
      ...(unowned ? [unowned] : []),
      ...checkSettings({ ...found, ...settings }),
      ...(await checkServers(settings)),
    ];
    const running = unowned || !settings.isWhole ? undefined : await askRunning(found.dataDir);
    const isCompared = typeof running === 'object';
    return {
      findings: findings.map((finding) => ({
        ...finding,
        severity: SEVERITY_OF_SETTINGS[finding.id] ?? finding.severity,
      })),
      changes: isCompared ? compareSettings(running, shownConfig(settings.config)) : undefined,
      server: isCompared ? 'compared' : running,
    };
  });
}

/** A name that is none is a mistake; a database that is away may be right by the time it is needed. */
const SEVERITY_OF_SETTINGS: Readonly<Record<string, Finding['severity']>> = {
  'setting-unknown': 'error',
  'database-away': 'warning',
  'oidc-unreachable': 'warning',
};

/** Asks the servers that the settings name whether they are of use with them. */
async function checkServers({
  input: { databaseAddress, limitsAddress, oidc },
}: ReadSettings): Promise<Finding[]> {
  return [
    ...(databaseAddress ? await examinePostgresServer(databaseAddress) : []),
    ...(limitsAddress ? await examineLimitsServer(limitsAddress) : []),
    ...(oidc ? await examineOidc(oidc) : []),
  ];
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
  // What is malformed has a finding of its own.
  const openProxies = faults.length > 0 ? [] : proxiesOfEverybody(input.config);
  return [
    ...doubts,
    ...judgeSettings({
      faults,
      unknown,
      openProxies,
      certificate,
      adminCertificate,
      securityTxt,
      now: Date.now(),
    }),
    ...(unit === undefined ? [] : judgeCredentials({ unit, named, handed, isRoot })),
  ];
}

async function checkGrowth({ directory, config, store, db, now }: Facts): Promise<readonly Finding[]> {
  const growth = db && (await readGrowth(db, config, store.bytes, now));
  if (!store.isEmbedded) return growth ? judgeGrowth(growth) : [];
  return directory.state === 'usable' ? judgeRoom(roomOf(config, growth)) : [];
}

async function checkClock({ db, now, isSystemdSilent }: Facts): Promise<readonly Finding[]> {
  const asking = new Faults();
  const isSynchronized = isSystemdSilent ? undefined : asking.attempt(readSynchronization);
  const newest = db ? await readNewestMoment(db) : 0;
  const future = db ? await readFutureMoments(db, now) : [];
  return [...judgeSilence(asking.found), ...judgeClock({ now, newest, future, isSynchronized })];
}

async function checkPorts({ config, unit, running, directory }: Facts): Promise<readonly Finding[]> {
  const isOfServer = running === 'silent' || (unit !== undefined && running === 'none' && isUnderWay(unit));
  // Without access to the directory, nothing about the server is reported either.
  if (running === undefined || directory.state === 'closed') return [];
  const owner = statSync(config.dataDir, { throwIfNoEntry: false })?.uid;
  const impostors = owner === undefined ? [] : findImpostors(config, owner, localListeners());
  const findings = [...impostors.map(judgeImpostor), ...judgeSocketFolders(config)];
  if (isOfServer) return findings;
  const terms = { hasUnit: unit !== undefined };
  for (const listening of listeningsOf(config, running === 'none' ? undefined : running)) {
    if (impostors.some(({ port }) => port === listening.port)) continue;
    const code = await whyNotFree(listening);
    if (code !== undefined) findings.push(...judgePort(listening, code, terms));
  }
  return findings;
}

function checkRunning({ running, config, dataDir, isWhole }: Facts): readonly Finding[] {
  if (running === 'none' || running === undefined) return [];
  if (running === 'silent') {
    const what = `a server uses ${dataDir}, but does not report its settings: it hangs, or has an older version`;
    return [failure('server-silent', what, 'see its log, then restart it')];
  }
  return isWhole ? judgeChanges(compareSettings(running, shownConfig(config))) : [];
}
