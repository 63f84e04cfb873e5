import { isDeepStrictEqual } from 'node:util';
import { createAnalysisDesk, openAnalyst } from './analysis-desk.ts';
import { createApp } from './app.ts';
import { type Config, corroborationRule } from './config.ts';
import { connectionBounds } from './connection-bounds.ts';
import { judgeWith } from './domain/analysis/opinion.ts';
import type { Catalog } from './domain/catalog.ts';
import { createIdentities } from './domain/identity.ts';
import type { IntegrationUse } from './domain/integrations.ts';
import { rememberStanding } from './domain/license.ts';
import { hashLicenseKey, isWellFormedKey } from './domain/license-key.ts';
import { type FeedTuning, startFeed } from './feed.ts';
import { watchHealth } from './health.ts';
import { authenticate, bearerKey, type FindLicense } from './http/caller.ts';
import { clientAddress } from './http/client-address.ts';
import type { HookContext } from './http/context.ts';
import { directAccess } from './http/direct-access.ts';
import { createLimits, type LimitSettings } from './http/limits.ts';
import { RequestMetrics } from './http/request-metrics.ts';
import { DAY_MS, iso, SECOND_MS, systemAfter, systemClock } from './lib/clock.ts';
import { Fault } from './lib/fault.ts';
import { GenerationMap } from './lib/generation-cache.ts';
import { isCollected, type Log } from './lib/log.ts';
import { RecentUses } from './lib/recent-uses.ts';
import { rememberLast } from './lib/remember-last.ts';
import { Turns } from './lib/turns.ts';
import { runtime } from './listen.ts';
import { createAiEndpoint } from './outside/ai-endpoint.ts';
import { createSiteSurvey } from './outside/site-survey.ts';
import { systemNetwork } from './outside/site-visit/network.ts';
import type { Parts } from './parts.ts';
import { startPayments } from './payments-wiring.ts';
import type { ReloadState } from './reload.ts';
import { startRetention } from './retention.ts';
import type { ServiceInput } from './service-input.ts';
import { connect, probeDatabase } from './storage/database.ts';
import { readFeedSnapshot } from './storage/feed-snapshots.ts';
import { readGenerations } from './storage/generations.ts';
import { takeInstallation } from './storage/installation.ts';
import { isHousekeeping } from './storage/jobs.ts';
import { readLicenses } from './storage/licenses.ts';
import { readNewestMoment } from './storage/newest-moment.ts';
import { watchRoom } from './storage/room.ts';
import { readTenantData } from './storage/tenant-data.ts';
import { openStorageThread } from './storage/threads.ts';
import { createGroupWriter } from './storage/writer.ts';
import { watchStore } from './store-watch.ts';
import { VERSION } from './version.ts';

const LICENSES_REMEMBERED_MAX = 10_000;
const MIB = 1024 * 1024;

/** The endpoint for second opinions, if the operator set one. */
const aiEndpoint = ({ aiUrl: url, aiModel: model, aiKey: key, aiTimeoutSeconds }: Config, log: Log) =>
  url === undefined || model === undefined
    ? undefined
    : createAiEndpoint({ url, model, key, timeoutMs: aiTimeoutSeconds * SECOND_MS, log });

const feedTuning = (config: Config): FeedTuning => ({
  epochSeconds: config.feedEpochSeconds,
  rule: corroborationRule(config),
});

export interface Service {
  readonly url: string;
  /** Resolves when everything accepted so far is on disk: what a watchdog may wait for. */
  settled(): Promise<void>;
  /** Takes another input over, as far as it differs in what can change; all of it or, when it throws, nothing. */
  reload(input: ServiceInput): Promise<void>;
  /** Stops accepting, finishes what is in flight and closes the database. */
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly input: ServiceInput;
  readonly reloads: Readonly<ReloadState>;
  readonly log: Log;
  /** Called when the service can no longer do its work. */
  readonly onFatal: (message: string) => void;
}

/** Constructs the whole service and starts it. The only place where its parts meet. */
export async function startService({ input, reloads, log, onFatal }: ServiceOptions): Promise<Service> {
  const { config } = input;
  const clock = systemClock;
  const { path, secret, release } = takeInstallation(config.dataDir, log);
  const db = connect(path);
  const generations = readGenerations(db);
  const identities = createIdentities(secret);
  const openThread = () =>
    openStorageThread(new Worker(new URL('./thread.ts', import.meta.url), { type: 'module' }), path, onFatal);
  const [writerThread, feedThread] = await Promise.all([openThread(), openThread()]);

  const analysisDesk = createAnalysisDesk({
    openAnalyst,
    after: systemAfter,
    onFault: (fault) => log.error('the analysis failed', { fault }),
  });

  const room = watchRoom({
    directory: config.dataDir,
    reserveBytes: config.diskReserveMib * MIB,
    monotonic: clock.monotonic,
  });
  const storeWatch = await watchStore({ room, thread: writerThread, after: systemAfter, log });
  const writer = createGroupWriter({
    commit: storeWatch.commit,
    hasRoomFor: (name) => isHousekeeping(name) || room.isEnough(),
    onFault: (fault) => log.error('a change could not be stored', { fault }),
  });

  const isReadable = probeDatabase(db, path);
  const tenantData = readTenantData(db);
  const { findByKeyHash } = readLicenses(db);
  const findLicenseWith = (catalog: Catalog): FindLicense => {
    const licenses = new GenerationMap(
      () => generations().licenses,
      (key: string) => {
        const license = isWellFormedKey(key) ? findByKeyHash(hashLicenseKey(key)) : undefined;
        return license && { license, standing: rememberStanding(license, catalog) };
      },
      LICENSES_REMEMBERED_MAX,
    );
    return (key) => {
      const found = licenses.get(key);
      return found && { license: found.license, standing: found.standing(clock.now()) };
    };
  };

  const newestMoment = readNewestMoment(db);
  const isClockBehind = () => clock.now() < newestMoment - DAY_MS;
  if (isClockBehind()) {
    const facts = { now: iso(clock.now()), newest: iso(newestMoment) };
    log.warn(
      'the clock is more than a day behind the newest data: set it; nothing is forgotten until then',
      facts,
    );
  }

  const requestMetrics = new RequestMetrics();
  const uses = new RecentUses<IntegrationUse>(DAY_MS, clock.monotonic);

  // A reload that changes no limit forgets nothing of what callers have used up.
  const limitsOf = rememberLast((settings: LimitSettings & Pick<Config, 'trustedProxies'>) =>
    createLimits(settings, clientAddress(runtime.socketAddress, settings.trustedProxies), clock.monotonic),
  );

  const feed = await startFeed({
    clock,
    log,
    writer,
    tuning: feedTuning(config),
    generation: () => generations().feed,
    read: () => readFeedSnapshot(db),
    compute: (terms) => feedThread.computeFeed(terms, secret),
  });
  const health = watchHealth({
    storeWatch,
    isClockBehind,
    isReadable,
    feed,
    isAnalysisAvailable: analysisDesk.isAvailable,
    certificate: () => certificate,
    reloads,
    now: clock.now,
  });

  const paymentTurns = new Turns();
  const assemble = async ({ config: current, offer }: ServiceInput) => {
    const { rateKeyPerMinute, rateIpPerMinute, trustedProxies } = current;
    const { catalog } = offer;
    const findLicense = findLicenseWith(catalog);
    /** Undefined also when licenses cannot be read: an answer has its headers nevertheless. */
    const licenseIdOf = (request: Request): number | undefined => {
      const key = bearerKey(request);
      try {
        return key === undefined ? undefined : findLicense(key)?.license.id;
      } catch {
        return undefined;
      }
    };
    const limits = limitsOf({ rateKeyPerMinute, rateIpPerMinute, trustedProxies });
    const payments = await startPayments({
      config: current,
      db,
      writer,
      identities,
      offer,
      turns: paymentTurns,
      clock,
      log,
    });
    const retention = startRetention({
      writer,
      clock,
      log,
      config: current,
      isClockBehind,
      room,
      truncateLog: writerThread.truncateLog,
    });
    const parts: Parts = {
      config: current,
      catalog,
      clock,
      publicUrl: () => current.baseUrl ?? listener.url,
      log,
      identities,
      findLicense,
      writer,
      tenantData,
      feed,
      judgeContent: judgeWith(analysisDesk.analyze, aiEndpoint(current, log)),
      isAnalysisAvailable: analysisDesk.isAvailable,
      surveySite: createSiteSurvey({
        network: systemNetwork,
        allowPrivate: current.scanAllowPrivate,
        version: VERSION,
        now: clock.now,
      }),
      payments,
      limits,
      requestMetrics,
      uses,
      logCollected: isCollected(),
      mayReadMetrics: directAccess(runtime.socketAddress, current.metricsAllow),
      isTidied: runtime.isTidied,
      connections: runtime.connections,
      health,
      authenticate: authenticate(findLicense, limits),
      authenticateValid: authenticate(findLicense, limits, { onlyValid: true }),
      peekLimits: ({ request, set }: HookContext) => {
        limits.peek({ request, set }, licenseIdOf(request));
      },
    };
    const stop = () => {
      retention.stop();
      payments.stop();
    };
    try {
      return { app: createApp(parts), forget: retention.forget, stop };
    } catch (error) {
      stop();
      throw error;
    }
  };

  let { certificate } = input;
  let assembled = await assemble(input);
  const { host, port } = config;
  const cannotListen = (error: Error) => {
    throw new Fault(`cannot listen on SERVICE_HOST ${host}, SERVICE_PORT ${port}: ${error.message}`, {
      cause: error,
    });
  };
  const listener = await runtime
    .listen({
      host,
      port,
      tls: certificate,
      app: assembled.app,
      bounds: connectionBounds(config, log),
    })
    .catch(cannotListen);

  // Only now, so that getting it ready delays nobody.
  analysisDesk.open();

  return {
    url: listener.url,
    settled: () => writer.settled(),
    async reload(next) {
      const renewed = await assemble(next);
      const isSame = isDeepStrictEqual(next.certificate, certificate);
      const bounds = connectionBounds(next.config, log);
      await listener.reload(renewed.app, bounds, isSame ? undefined : next.certificate).catch((error) => {
        renewed.stop();
        return cannotListen(error);
      });
      assembled.stop();
      assembled = renewed;
      certificate = next.certificate;
      feed.retune(feedTuning(next.config));
      // A shorter retention is how an operator makes room.
      if (!room.isEnough()) void renewed.forget();
    },
    async stop() {
      await listener.stop();
      assembled.stop();
      feed.stop();
      await analysisDesk.close();
      storeWatch.stop();
      await writer.close();
      await Promise.all([writerThread.close(), feedThread.close()]);
      db.$client.close();
      release();
    },
  };
}
