import { judgeAllWith, judgeWith } from '../analysis/opinion.ts';
import type { ConsoleParts } from '../console/visit.ts';
import { allowOnly, authenticateToken, type FindToken } from '../http/admin-caller.ts';
import { createAdminLimits } from '../http/admin-limits.ts';
import { authenticate } from '../http/caller.ts';
import { clientAddress } from '../http/client-address.ts';
import { directAccess } from '../http/direct-access.ts';
import type { EventStreams } from '../http/event-streams.ts';
import { InsideRequests } from '../http/inside-requests.ts';
import { createLimits, type LimitSettings } from '../http/limits.ts';
import { seenAddress } from '../http/own-origin.ts';
import { bindToProcess } from '../http/process-bound.ts';
import { SECOND_MS, systemAfter } from '../lib/clock.ts';
import { openTogether } from '../lib/closing.ts';
import { faultOf } from '../lib/fault.ts';
import { isCollected, type Log } from '../lib/log.ts';
import { ownTurn } from '../lib/own-turn.ts';
import { rememberLast } from '../lib/remember-last.ts';
import { Turns } from '../lib/turns.ts';
import { VERSION } from '../lib/version.ts';
import { whenReady } from '../lib/when-ready.ts';
import { createActDesk } from '../operator/act-desk.ts';
import { createFeedDesk } from '../operator/feed-desk.ts';
import { createSignIn } from '../operator/sign-in.ts';
import { createSiteRisks } from '../operator/site-risks.ts';
import { createAiEndpoint } from '../outside/ai-endpoint.ts';
import { createControlCheck } from '../outside/control-check.ts';
import { createSiteSurvey } from '../outside/site-survey.ts';
import { systemNetwork } from '../outside/site-visit/network.ts';
import { Downloads } from '../pages/downloads.ts';
import { Notices } from '../pages/notices.ts';
import { createServiceStatus } from '../routes/admin/service-status.ts';
import type { Parts } from '../routes/parts.ts';
import type { Served } from '../runtime/listener.ts';
import { runtime } from '../runtime/runtime.ts';
import type { Config } from '../settings/config.ts';
import { listenerHosts } from '../settings/console-address.ts';
import { keysDirectory } from '../settings/keys-directory.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { credentialKeyFiles } from '../storage/credentials/credential-key-files.ts';
import { readCredentialKeys } from '../storage/credentials/credential-keys.ts';
import { inTurn } from '../storage/engine/clock-work.ts';
import { readLicenses } from '../storage/licenses/licenses.ts';
import { readPortalSession } from '../storage/licenses/portal-sessions.ts';
import { readAdminRequests } from '../storage/operators/admin-requests.ts';
import { readOperators } from '../storage/operators/operators.ts';
import { readSecondFactor } from '../storage/operators/second-factors.ts';
import { readSigningKeys, signingKeyFiles } from '../storage/signing/signing-keys.ts';
import { readDueChecks } from '../storage/sites/domain-controls.ts';
import { readTrustSiteOf } from '../storage/trust/trust-sites.ts';
import { startControlChecks } from '../tasks/control-checks.ts';
import { openCredentialKeys } from '../tasks/credential-keys.ts';
import { feedTuning } from '../tasks/feed-tuning.ts';
import { startPayments } from '../tasks/payments.ts';
import { startRetention } from '../tasks/retention.ts';
import { openSigningKeys } from '../tasks/signing-keys.ts';
import { createTrustDesk } from '../tasks/trust.ts';
import type { AdminAppParts } from './admin-app.ts';
import type { AnalysisDesk } from './analysis-desk.ts';
import { type App, createApp } from './app.ts';
import { createLicenseLookup, type LicenseLookup, licenseIdOf } from './license-lookup.ts';
import type { Store } from './store.ts';

/** The parts that no reload changes. */
export interface LastingParts
  extends Pick<LicenseLookup, 'findByKeyHash' | 'generation'>,
    Pick<
      Parts,
      | 'clock'
      | 'log'
      | 'identities'
      | 'tenantData'
      | 'statusLists'
      | 'feed'
      | 'mirror'
      | 'countVulnerabilities'
      | 'scanDesk'
      | 'evidenceDesk'
      | 'evidenceKey'
      | 'health'
      | 'noteAnswer'
    >,
    Pick<ConsoleParts, 'backupDesk' | 'executableChange'> {
  readonly store: Pick<
    Store,
    | 'db'
    | 'secret'
    | 'writer'
    | 'clockWork'
    | 'tidy'
    | 'retentionJobs'
    | 'sharedDraws'
    | 'room'
    | 'truncateLog'
    | 'computeFeed'
    | 'freshGenerations'
    | 'heard'
  >;
  readonly findToken: FindToken;
  readonly requestMetrics: Parts['requestMetrics'];
  readonly uses: Parts['uses'];
  readonly analysisDesk: Pick<AnalysisDesk, 'analyze' | 'analyzeAll' | 'isAvailable'>;
  readonly isClockBehind: () => boolean;
  readonly isClockSetBack: () => boolean;
  readonly streams: EventStreams;
  /** Where the service listens; to be asked while it does. */
  readonly url: () => string;
}

/** What is made of an input. */
export interface Assembled {
  readonly app: App;
  /** Loads and creates the admin app. It comes after the public listener, which must not wait for it. */
  readonly adminApp: () => Promise<Served>;
  /** See Retention. */
  readonly forget: () => Promise<void>;
  /** See CredentialKeys. */
  readonly canSign: () => boolean;
  /** Whether this node has the private half of the key for replies, as far as can be told. */
  readonly canSignReplies: () => Promise<boolean>;
  /** Ends what runs by the clock. */
  readonly stop: () => Promise<void>;
}

/** @returns a function that makes the interface, and what runs by the clock, of an input; all of it or, when it throws, nothing */
export function createAssembly(lasting: LastingParts): (input: ServiceInput) => Promise<Assembled> {
  const { store, clock, log, identities, analysisDesk, findByKeyHash, generation, isClockBehind } = lasting;
  const { db, writer, clockWork, room, truncateLog } = store;
  const turns = new Turns();
  // A reload that changes no limit forgets nothing of what callers have used up.
  const limitsOf = rememberLast((settings: LimitSettings & Pick<Config, 'trustedProxies'>) =>
    createLimits(
      settings,
      clientAddress(runtime.socketAddress, settings.trustedProxies),
      clock.monotonic,
      store.sharedDraws,
    ),
  );

  const adminLimitsOf = rememberLast((settings: Pick<Config, 'adminRatePerMinute' | 'adminTrustedProxies'>) =>
    createAdminLimits(
      settings.adminRatePerMinute,
      clientAddress(runtime.socketAddress, settings.adminTrustedProxies),
      clock.monotonic,
    ),
  );
  const desk = createActDesk({
    writer,
    generations: store.freshGenerations,
    heard: store.heard,
    findRequest: readAdminRequests(db),
  });

  const operators = readOperators(db);
  // Neither what was guessed in vain nor a key that nobody has seen yet is forgotten by a reload.
  const notices = new Notices();
  const cookieBinding = bindToProcess();
  const secondFactorOf = readSecondFactor(db);
  const signIn = createSignIn({
    ...{ operators, secondFactorOf, identities, desk, writer, clock },
    after: systemAfter,
  });

  const downloading = {
    ...{ after: systemAfter, monotonic: clock.monotonic },
    onFault: (error: unknown) => log.error('a download failed', { fault: faultOf(error) }),
  };
  const downloads = new Downloads(downloading);
  const portal = {
    sessionOf: readPortalSession(db),
    licenseOf: readLicenses(db).find,
    downloads: new Downloads(downloading),
  };
  const inside = new InsideRequests();

  const assemble = async (closing: AsyncDisposableStack, input: ServiceInput) => {
    const { config, offer, signingKey, securityTxt } = input;
    const { rateKeyPerMinute, rateIpPerMinute, trustedProxies } = config;
    const { catalog } = offer;
    closing.defer(signIn.flushFailures);
    const findLicense = createLicenseLookup({ findByKeyHash, generation, catalog, now: clock.now });
    const idOf = licenseIdOf(findLicense);
    const limits = limitsOf({ rateKeyPerMinute, rateIpPerMinute, trustedProxies });
    const payments = await startPayments({
      config,
      db,
      writer,
      clockWork,
      identities,
      offer,
      turns,
      clock,
      log,
    });
    closing.defer(payments.stop);
    const retention = startRetention({
      jobs: store.retentionJobs,
      config,
      writer,
      clockWork,
      tidy: store.tidy,
      clock,
      log,
      isClockBehind,
      room,
      truncateLog,
    });
    closing.defer(retention.stop);
    const outside = {
      network: systemNetwork,
      allowPrivate: config.scanAllowPrivate,
      version: VERSION,
      now: clock.now,
    };
    const checkControl = createControlCheck({ ...outside, allowUntrusted: config.scanAllowPrivate });
    if (config.surfaceScans) {
      const readDue = readDueChecks(db);
      const parts = { clock, after: systemAfter, log, identities, writer, clockWork, isClockBehind };
      closing.defer(startControlChecks({ ...parts, readDue, check: checkControl }));
    }
    const keysDir = keysDirectory(config);
    const keyParts = { ...{ clock, log, writer }, isAlone: input.databaseAddress === undefined };
    const openKeys = async () => ({
      credentialKeys: await openCredentialKeys({
        ...keyParts,
        baseUrl: config.baseUrl,
        ownKey: signingKey,
        read: readCredentialKeys(db),
        files: credentialKeyFiles(keysDir),
      }),
      signingKeys: await openSigningKeys({
        ...keyParts,
        read: readSigningKeys(db),
        filesOf: (purpose) => signingKeyFiles(keysDir, purpose),
      }),
    });
    // Several nodes may begin at once, in one directory of keys.
    const { credentialKeys, signingKeys } = await inTurn(clockWork, 'credential-keys', openKeys);
    const trustDesk = createTrustDesk({
      ...{ config, catalog, clock, writer },
      isClockSetBack: lasting.isClockSetBack,
      tenantData: lasting.tenantData,
      findSiteOf: readTrustSiteOf(db),
      findLicense: readLicenses(db).find,
    });
    const askOpinion = aiEndpoint(config, log);
    const app = createApp({
      ...lasting,
      config,
      catalog,
      publicUrl: () => config.baseUrl ?? lasting.url(),
      inside,
      portal: {
        ...portal,
        seen: seenAddress(runtime.socketAddress, {
          ...{ trustedProxies, overTls: config.tlsCert !== undefined },
          // Another name that leads here has a cookie of its own: nobody gains anything by it.
          hosts: 'any',
        }),
      },
      findLicense,
      writer,
      judgeContent: judgeWith(analysisDesk.analyze, askOpinion),
      judgeContents: judgeAllWith(analysisDesk.analyzeAll, askOpinion),
      isAnalysisAvailable: analysisDesk.isAvailable,
      surveySite: createSiteSurvey(outside),
      checkControl,
      credentialKeys,
      signingKeys,
      trustDesk,
      securityTxt: securityTxt?.text,
      payments,
      limits,
      logCollected: isCollected(),
      mayReadMetrics: directAccess({
        socketAddress: runtime.socketAddress,
        ranges: config.metricsAllow,
        hosts: listenerHosts(config.host, config.baseUrl),
      }),
      isTidied: runtime.isTidied,
      connections: runtime.connections,
      authenticate: authenticate(findLicense, limits),
      authenticateValid: authenticate(findLicense, limits, { onlyValid: true }),
      peekLimits: ({ request, set }) => whenReady(idOf(request), (id) => limits.peek({ request, set }, id)),
    });
    const siteRisks = createSiteRisks({ db, identities, mirror: lasting.mirror, clock, log });
    closing.defer(siteRisks.stop);
    const adminLimits = adminLimitsOf({
      adminRatePerMinute: config.adminRatePerMinute,
      adminTrustedProxies: config.adminTrustedProxies,
    });
    const adminParts: AdminAppParts = {
      ...lasting,
      ...{
        config,
        offer,
        db,
        desk,
        signIn,
        cookieBinding,
        operators,
        secondFactorOf,
        notices,
        downloads,
        sources: input.sources,
      },
      serviceStatus: createServiceStatus({ ...lasting, config, db }),
      settlePayments: payments.wake,
      siteRisks: siteRisks.latest,
      countVulnerabilities: lasting.countVulnerabilities,
      seen: seenAddress(runtime.socketAddress, {
        trustedProxies: config.adminTrustedProxies,
        overTls: config.adminTlsCert !== undefined,
        hosts: listenerHosts(config.adminHost, config.adminUrl),
      }),
      addressOf: clientAddress(runtime.socketAddress, config.adminTrustedProxies),
      limits: adminLimits,
      authenticate: authenticateToken(lasting.findToken, adminLimits),
      feedDesk: createFeedDesk({
        ...{ db, clock },
        countFeed: (now) => store.computeFeed({ ...feedTuning(config), now }, store.secret),
      }),
      overTls: config.adminTlsCert !== undefined,
      // It holds for every port of a host, and the interface's may speak plain HTTP.
      hstsSeconds: undefined,
      bodyTimeoutSeconds: config.bodyTimeoutSeconds,
      isTidied: runtime.isTidied,
      guard: allowOnly(runtime.socketAddress, config.adminAllow),
    };
    return {
      app,
      async adminApp() {
        // At a start the interface listens already: requests that have arrived are answered between the two.
        await ownTurn();
        const { createAdminApp } = await import('./admin-app.ts');
        await ownTurn();
        return createAdminApp(adminParts);
      },
      forget: retention.forget,
      canSign: credentialKeys.canSign,
      // That the database does not answer is told by itself.
      canSignReplies: () =>
        signingKeys.signer('reply').then(
          (key) => key !== undefined,
          () => true,
        ),
      stop: () => closing.disposeAsync(),
    };
  };

  const onFault = (error: unknown) =>
    log.error('a resource of the settings could not be closed', { fault: faultOf(error) });
  return (input) => openTogether((closing) => assemble(closing, input), onFault);
}

/** The endpoint for second opinions, if the operator set one. */
const aiEndpoint = ({ aiUrl: url, aiModel: model, aiKey: key, aiTimeoutSeconds }: Config, log: Log) =>
  url === undefined || model === undefined
    ? undefined
    : createAiEndpoint({ url, model, key, timeoutMs: aiTimeoutSeconds * SECOND_MS, log });
