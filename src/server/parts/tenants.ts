import { judgeAllWith, judgeWith } from '../../analysis/opinion.ts';
import { InsideRequests } from '../../http/inside-requests.ts';
import { seenAddress } from '../../http/own-origin.ts';
import { type Clock, SECOND_MS, systemAfter } from '../../lib/clock.ts';
import { faultOf } from '../../lib/fault.ts';
import type { Log } from '../../lib/log.ts';
import { createAiEndpoint } from '../../outside/ai-endpoint.ts';
import { Downloads } from '../../pages/downloads.ts';
import type { Parts } from '../../routes/parts.ts';
import { runtime } from '../../runtime/runtime.ts';
import { readCustomerNames } from '../../storage/licenses/customer-names.ts';
import { readLicenses } from '../../storage/licenses/licenses.ts';
import { readPortalSession } from '../../storage/licenses/portal-sessions.ts';
import { readOpenAlertCount } from '../../storage/sites/critical-alerts.ts';
import { readUnprovenSites } from '../../storage/sites/unproven-sites.ts';
import { readTrustSiteOf } from '../../storage/trust/trust-sites.ts';
import { createTrustDesk } from '../../tasks/trust.ts';
import type { AnalysisDesk } from '../analysis-desk.ts';
import type { Input, OfStore } from './needs.ts';

interface TrustLasting extends Parts<'clock' | 'tenantData'>, OfStore<'db' | 'writer'> {
  readonly isClockSetBack: () => boolean;
}

/** Public trust states of sites. */
export const trust =
  ({ store: { db, writer }, clock, tenantData, isClockSetBack }: TrustLasting) =>
  ({ config, catalog }: Parts<'catalog' | 'config'>) => ({
    trustDesk: createTrustDesk({
      config,
      catalog,
      clock,
      writer,
      isClockSetBack,
      tenantData,
      findSiteOf: readTrustSiteOf(db),
      findLicense: readLicenses(db).find,
    }),
  });

interface AnalysisLasting extends Parts<'log'> {
  readonly analysisDesk: Pick<AnalysisDesk, 'analyze' | 'analyzeAll' | 'isAvailable'>;
}

/** The analysis, with second opinions if an endpoint is configured. */
export const analysis =
  ({ analysisDesk, log }: AnalysisLasting) =>
  ({ config: { aiUrl: url, aiModel: model, aiKey: key, aiTimeoutSeconds } }: Input<'config'>) => {
    const timeoutMs = aiTimeoutSeconds * SECOND_MS;
    const ask =
      url === undefined || model === undefined
        ? undefined
        : createAiEndpoint({ url, model, key, timeoutMs, log });
    return {
      judgeContent: judgeWith(analysisDesk.analyze, ask),
      judgeContents: judgeAllWith(analysisDesk.analyzeAll, ask),
      isAnalysisAvailable: analysisDesk.isAvailable,
    };
  };

/** The portal. */
export function portal({ store: { db }, clock, log }: Parts<'clock' | 'log'> & OfStore<'db'>) {
  const inside = new InsideRequests();
  const lasting = {
    sessionOf: readPortalSession(db),
    licenseOf: readLicenses(db).find,
    customerOf: async (id: number) => (await readCustomerNames(db, [id])).get(id) ?? null,
    downloads: newDownloads(clock, log),
  };
  const openAlerts = readOpenAlertCount(db);
  const unproven = readUnprovenSites(db);
  return ({ config: { trustedProxies, tlsCert, surfaceScans, scanAllowPrivate } }: Input<'config'>) => ({
    inside,
    portal: {
      ...lasting,
      openAlertsOf: (id: number) => openAlerts(id, clock.now()),
      // Without scans, domains cannot be verified.
      unprovenOf: async (id: number) => (surfaceScans ? unproven(id, scanAllowPrivate, clock.now()) : []),
      seen: seenAddress(runtime.socketAddress, {
        trustedProxies,
        overTls: tlsCert !== undefined,
        // Any host name is safe here: another name has its own cookies and gains nothing.
        hosts: 'any',
      }),
    },
  });
}

/** Downloads from pages. Failures are logged. */
export const newDownloads = (clock: Clock, log: Log): Downloads =>
  new Downloads({
    after: systemAfter,
    monotonic: clock.monotonic,
    onFault: (error: unknown) => log.error('a download failed', { fault: faultOf(error) }),
  });
