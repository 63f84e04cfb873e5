import { isDeepStrictEqual } from 'node:util';
import { createIdentities } from '../domain/identity.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { IntegrationUse } from '../domain/site/integrations.ts';
import { EventStreams } from '../http/event-streams.ts';
import { DAY_MS, SECOND_MS, systemAfter, systemClock } from '../lib/clock.ts';
import { openTogether } from '../lib/closing.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { RecentUses } from '../lib/recent-uses.ts';
import { createBackupDesk } from '../operator/backup-desk.ts';
import type { ReloadState } from '../routes/service-health.ts';
import type { Served } from '../runtime/listener.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { readStatusLists } from '../storage/credentials/status-lists.ts';
import { readFirstMoment, readLastBackup } from '../storage/installation/backups.ts';
import { readLicenses } from '../storage/licenses/licenses.ts';
import { readAdminTokens } from '../storage/operators/admin-tokens.ts';
import { readDueSchedules } from '../storage/scans/scan-schedules.ts';
import { readUnfinishedScans } from '../storage/scans/scans.ts';
import { readTenantData } from '../storage/tenant-data.ts';
import { readFeedObjects } from '../storage/threats/feed-objects.ts';
import { readFeedSnapshot } from '../storage/threats/feed-snapshots.ts';
import { startFeed } from '../tasks/feed.ts';
import { feedTuning } from '../tasks/feed-tuning.ts';
import { countSiteVulnerabilities } from '../tasks/site-vulnerabilities.ts';
import { createTaxiiPages } from '../tasks/taxii-pages.ts';
import { listenForAdmin } from './admin-listener.ts';
import { createAnalysisDesk } from './analysis-desk.ts';
import { type Command, openAnalyst } from './analyst.ts';
import { createAssembly } from './assemble.ts';
import { watchClocks } from './clock-check.ts';
import { connectionBounds } from './connection-bounds.ts';
import { createBackupBy } from './create-backup.ts';
import { openEvidence } from './evidence.ts';
import { watchExecutable } from './executable.ts';
import { watchHealth } from './health.ts';
import { listenWhenLate } from './listen-early.ts';
import { openMirror } from './mirror.ts';
import { listenForPublic, refusedAddress } from './public-listener.ts';
import { startScanning } from './scanning.ts';
import { openStore } from './store.ts';
import { startTallies } from './tallies.ts';
import { createTokenLookup } from './token-lookup.ts';

export interface Service {
  readonly url: string;
  /** The URL of the admin API; undefined if it is off. */
  readonly adminUrl: string | undefined;
  /** Resolves when all accepted changes are on disk; the watchdog waits for it. */
  settled(): Promise<void>;
  /** Applies the changeable settings of another input. If it throws, nothing has changed. */
  reload(input: ServiceInput): Promise<void>;
  /** Stops accepting requests, finishes running ones and closes the database. */
  stop(): Promise<void>;
}

/**
 * The entry points of threads and processes. Compiled executables resolve the URLs of threads relative to the entry point, so
 * main.ts provides them.
 */
export interface Entries {
  /** Entry point of storage threads. */
  readonly storage: URL;
  /** Command of the analysis process. */
  readonly analysis: Command;
  /** This program, without a command. */
  readonly program: Command;
}

export interface ServiceOptions {
  readonly entries: Entries;
  readonly input: ServiceInput;
  readonly reloads: Readonly<ReloadState>;
  readonly log: Log;
  /** Called when the service can no longer operate. */
  readonly onFatal: (message: string) => void;
}

/**
 * Builds and starts the whole service. If that fails, everything opened is closed.
 *
 * @throws DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused, Fault
 */
export const startService = (options: ServiceOptions): Promise<Service> =>
  openTogether(
    (closing) => start(closing, options),
    (error) =>
      options.log.error('a partially started service could not be stopped', { fault: faultOf(error) }),
  );

/** Parts are closed in reverse order. */
async function start(
  closing: AsyncDisposableStack,
  { entries, input, reloads, log, onFatal }: ServiceOptions,
): Promise<Service> {
  const { config } = input;
  const clock = systemClock;
  const isAlone = input.databaseAddress === undefined;
  const early = listenWhenLate(closing, { input, log });
  const store = await openStore(closing, {
    config,
    address: input.databaseAddress,
    limitsAddress: input.limitsAddress,
    entry: entries.storage,
    log,
    onWait: early.waitFor,
    onFatal,
  });
  early.cancel();
  const { db, secret, writer, room, clockWork, generations } = store;
  const { isClockBehind, isClockSetBack } = await watchClocks(db, clock, log);

  const feed = await startFeed({
    clock,
    log,
    writer,
    clockWork,
    tuning: feedTuning(config),
    generation: () => generations().feed,
    read: () => readFeedSnapshot(db),
    compute: (terms) => store.computeFeed(terms, secret),
  });
  closing.defer(feed.stop);

  const mirror = await openMirror(closing, {
    db,
    dataDir: config.dataDir,
    log,
    generation: () => generations().mirror,
  });

  const analysisDesk = createAnalysisDesk({
    openAnalyst: (events) => openAnalyst(entries.analysis, events),
    after: systemAfter,
    onFault: (fault) => log.error('the analysis failed', { fault }),
  });
  closing.defer(analysisDesk.close);

  const tallies = startTallies(closing, { db, clock, log, writer, clockWork, isClockBehind });

  let current = input;
  /** The admin listener opens after the public one, which then already answers. */
  let adminMissing: string | undefined;
  const identities = createIdentities(secret);
  const tenantData = readTenantData(db, store.apart);
  const uses = new RecentUses<IntegrationUse>(DAY_MS, clock.monotonic);
  const { find: findLicense, findByKeyHash } = readLicenses(db);
  const scanning = await startScanning({
    clock,
    log,
    writer,
    clockWork,
    identities,
    tenantData,
    mirror,
    uses,
    isClockBehind,
    settings: () => ({ config: current.config, catalog: current.offer.catalog }),
    findLicense,
    readUnfinished: readUnfinishedScans(db),
    isAlone,
    readDue: readDueSchedules(db),
  });
  closing.defer(scanning.stop);

  const { evidenceDesk, evidenceKey } = await openEvidence({
    config,
    clock,
    log,
    writer,
    reads: tenantData.evidence,
    isAlone,
    baseUrl: () => current.config.baseUrl,
  });

  const streams = new EventStreams({
    after: systemAfter,
    onFault: (error) => log.error('a live page could not be notified', { fault: faultOf(error) }),
  });

  const backupDesk = createBackupDesk({
    check: store.checkBackup,
    create: createBackupBy(entries.program),
    clock,
    log,
  });
  closing.defer(backupDesk.stop);

  let isLeaving = false;
  let { certificate, adminCertificate } = input;
  const assemble = createAssembly({
    store,
    findToken: createTokenLookup({
      findByHash: readAdminTokens(db).findByHash,
      noteUse: tallies.noteTokenUse,
      now: clock.now,
    }),
    clock,
    log,
    identities,
    findByKeyHash,
    generation: () => generations().licenses,
    tenantData,
    statusLists: readStatusLists(db),
    feed,
    taxiiPages: createTaxiiPages({ generation: () => generations().feed, read: readFeedObjects(db) }),
    mirror,
    countEvents: tallies.countEvents,
    countVulnerabilities: countSiteVulnerabilities({ reads: tenantData, identities, mirror, clock }),
    scanDesk: scanning.desk,
    evidenceDesk,
    evidenceKey,
    analysisDesk,
    isClockBehind,
    isClockSetBack,
    health: watchHealth({
      storeWatch: store.watch,
      isClockBehind,
      isReadable: store.isReadable,
      isLeaving: () => isLeaving,
      feed,
      mirror,
      isAnalysisAvailable: analysisDesk.isAvailable,
      canSign: () => assembled.canSign(),
      canSignReplies: () => assembled.canSignReplies(),
      certificate: () => certificate,
      adminCertificate: () => adminCertificate,
      addressMissing: () => missing,
      adminAddressMissing: () => adminMissing,
      lastBackup: readLastBackup(db),
      firstMoment: readFirstMoment(db),
      backupWarnHours: () => current.config.backupWarnHours,
      sharedDraws: store.sharedDraws,
      reloads,
      now: clock.now,
    }),
    backupDesk,
    executableChange: watchExecutable(),
    requestMetrics: tallies.requestMetrics,
    noteAnswer: tallies.noteAnswer,
    uses,
    streams,
    url: () => listener.url,
  });
  let assembled = await assemble(input);
  closing.defer(() => assembled.stop());

  const bounds = connectionBounds(config, log);
  const taken = await early.take();
  const { listener, missing } = taken ?? (await listenForPublic({ input, app: assembled.app, bounds, log }));
  closing.defer(listener.stop);
  if (taken) await listener.reload(assembled.app, bounds);
  // After the public listener, so that its port is never taken by the admin listener.
  let adminApp: Served | undefined;
  if (isAlone) {
    // Cookies are bound to the previous process. Written first, so that no new session is deleted.
    writer.write('forgetSessions', { startedBefore: Number.MAX_SAFE_INTEGER }).then((ended) => {
      if (isRefusal(ended))
        log.warn('sessions from before the restart could not be deleted; they are no longer valid');
    });
  }
  const adminListening = await listenForAdmin({
    input,
    app: async () => {
      adminApp = await assembled.adminApp();
      return adminApp;
    },
    log,
  });
  adminMissing = adminListening?.missing;
  const admin = adminListening?.listener;
  if (admin) closing.defer(admin.stop);
  // Closed before the listeners, which would wait forever for these streams.
  closing.defer(() => streams.endAll());

  return {
    url: listener.url,
    adminUrl: admin?.url,
    settled: writer.settled,
    async reload(next) {
      const renewed = await assemble(next);
      const isSame = isDeepStrictEqual(next.certificate, certificate);
      const isSameAdmin = isDeepStrictEqual(next.adminCertificate, adminCertificate);
      const bounds = connectionBounds(next.config, log);
      const previous = adminApp;
      try {
        if (admin) {
          adminApp = await renewed.adminApp();
          await admin.reload(adminApp, undefined, isSameAdmin ? undefined : next.adminCertificate);
        }
        await listener.reload(renewed.app, bounds, isSame ? undefined : next.certificate);
      } catch (error) {
        adminApp = previous;
        if (previous) await admin?.reload(previous, undefined, isSameAdmin ? undefined : adminCertificate);
        await renewed.stop();
        throw refusedAddress(input, error);
      }
      streams.endAll();
      await assembled.stop();
      assembled = renewed;
      current = next;
      certificate = next.certificate;
      adminCertificate = next.adminCertificate;
      feed.retune(feedTuning(next.config));
      // Operators free disk space by shortening the retention.
      if (!room.isEnough()) void renewed.forget();
    },
    async stop() {
      if (!isAlone) {
        isLeaving = true;
        listener.leave();
        const leaveMs = current.config.leaveSeconds * SECOND_MS;
        await new Promise((resolve) => systemAfter(leaveMs, () => resolve(undefined)));
      }
      await closing.disposeAsync();
    },
  };
}
