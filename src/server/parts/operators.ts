import { allowOnly, authenticateToken, type FindToken } from '../../http/admin-caller.ts';
import type { AdminLimits } from '../../http/admin-limits.ts';
import { clientAddress } from '../../http/client-address.ts';
import { seenAddress } from '../../http/own-origin.ts';
import { bindToProcess } from '../../http/process-bound.ts';
import { systemAfter } from '../../lib/clock.ts';
import { rememberLast } from '../../lib/remember-last.ts';
import { createActDesk } from '../../operator/act-desk.ts';
import { createFeedDesk } from '../../operator/feed-desk.ts';
import {
  createOidcSignIn,
  FLOW_MS,
  type OidcSignIn,
  type OidcSignInParts,
} from '../../operator/oidc-sign-in.ts';
import { createSignIn } from '../../operator/sign-in.ts';
import { createSiteRisks } from '../../operator/site-risks.ts';
import { createOidcProvider } from '../../outside/oidc/provider.ts';
import { Notices } from '../../pages/notices.ts';
import { PendingForms } from '../../pages/pending-forms.ts';
import { createServiceStatus, type StatusParts } from '../../routes/admin/service-status.ts';
import type { Parts } from '../../routes/parts.ts';
import { runtime } from '../../runtime/runtime.ts';
import { listenerHosts } from '../../settings/console-address.ts';
import type { OidcSettings } from '../../settings/oidc.ts';
import { readAdminRequests } from '../../storage/operators/admin-requests.ts';
import { readOperators } from '../../storage/operators/operators.ts';
import { readSecondFactor } from '../../storage/operators/second-factors.ts';
import { feedTuning } from '../../tasks/feed-tuning.ts';
import type { Closing, Input, OfStore } from './needs.ts';
import { newDownloads } from './tenants.ts';

type SignInLasting = Parts<'clock' | 'identities' | 'log'> &
  OfStore<'db' | 'freshGenerations' | 'cachesExpired' | 'writer'>;

/** Sign-in through an identity provider. Reloads keep pending sign-ins unless they change the provider's settings. */
const oidcSignIn = (parts: Omit<OidcSignInParts, 'settings' | 'provider'>) =>
  rememberLast(
    (settings: OidcSettings | undefined): OidcSignIn | undefined =>
      settings &&
      createOidcSignIn({ ...parts, settings, provider: createOidcProvider(settings, parts.clock) }),
  );

/** Sign-in of operators, and state that persists across reloads. */
export function signIn({ store, identities, clock, log }: SignInLasting) {
  const { db, writer } = store;
  const desk = createActDesk({
    writer,
    generations: store.freshGenerations,
    cachesExpired: store.cachesExpired,
    findRequest: readAdminRequests(db),
  });
  const operators = readOperators(db);
  const secondFactorOf = readSecondFactor(db);
  const signIn = createSignIn({
    operators,
    secondFactorOf,
    identities,
    desk,
    writer,
    clock,
    after: systemAfter,
  });
  const lasting = {
    db,
    desk,
    operators,
    secondFactorOf,
    signIn,
    notices: new Notices(),
    pendingForms: new PendingForms(FLOW_MS, clock.monotonic),
    cookieBinding: bindToProcess(),
    flowBinding: bindToProcess(),
    downloads: newDownloads(clock, log),
  };
  const oidcOf = oidcSignIn({ signIn, operators, desk, writer, clock });
  return ({ closing, oidc }: Closing & Input<'oidc'>) => {
    closing.defer(signIn.flushFailures);
    return { ...lasting, oidc: oidcOf(oidc) };
  };
}

type WatchingLasting = Omit<StatusParts, 'db' | 'config'> &
  Parts<'identities' | 'log'> &
  OfStore<'computeFeed' | 'db' | 'secret'>;

/** Data of the service and of all sites, for operators. */
export const watching = (lasting: WatchingLasting) => {
  const { store, identities, mirror, clock, log } = lasting;
  const { db, computeFeed, secret } = store;
  return ({ config, closing }: Input<'config'> & Closing) => {
    const siteRisks = createSiteRisks({ db, identities, mirror, clock, log });
    closing.defer(siteRisks.stop);
    return {
      siteRisks: siteRisks.latest,
      serviceStatus: createServiceStatus({ ...lasting, config, db }),
      feedDesk: createFeedDesk({
        db,
        clock,
        countFeed: (now) => computeFeed({ ...feedTuning(config), now }, secret),
      }),
    };
  };
};

interface ListenerLasting {
  readonly findToken: FindToken;
}

/** Parts of the admin listener that replace those of the public one. */
export const adminListener =
  ({ findToken }: ListenerLasting) =>
  ({ config, adminLimits: limits }: Input<'config'> & { readonly adminLimits: AdminLimits }) => ({
    admin: {
      limits,
      authenticate: authenticateToken(findToken, limits),
      addressOf: clientAddress(runtime.socketAddress, config.adminTrustedProxies),
      seen: seenAddress(runtime.socketAddress, {
        trustedProxies: config.adminTrustedProxies,
        overTls: config.adminTlsCert !== undefined,
        hosts: listenerHosts(config.adminHost, config.adminUrl),
      }),
      guard: allowOnly(runtime.socketAddress, config.adminAllow),
      overTls: config.adminTlsCert !== undefined,
      // HSTS applies to all ports of a host, and the public listener may use plain HTTP.
      hstsSeconds: undefined,
      bodyTimeoutSeconds: config.bodyTimeoutSeconds,
    },
  });
