import type { Brand } from '../domain/brand/brand.ts';
import { describeApi } from '../http/contract/openapi.ts';
import { PUBLIC_API } from '../http/contract/public-api.ts';
import { type FoundationParts, onFoundation } from '../http/foundation.ts';
import type { Limits } from '../http/limits.ts';
import { documented } from '../http/route/mount.ts';
import { endpointsOf, type PartsOf } from '../http/route/route.ts';
import { signReplies } from '../http/signed-replies.ts';
import { loadOnce } from '../lib/load-once.ts';
import { portalFailures, portalPages } from '../portal/portal.ts';
import type { PortalParts } from '../portal/visit.ts';
import { CHECKOUT } from '../routes/checkout.ts';
import { REFUSAL_PAGES } from '../routes/checkout-page.ts';
import { invalidLicense, LICENSE_VERIFY } from '../routes/license.ts';
import { taxiiFailures } from '../routes/taxii/failures.ts';
import { TRIAL } from '../routes/trial.ts';
import type { Served } from '../runtime/listener.ts';
import type { Config } from '../settings/config.ts';
import type { PaymentParts } from '../tasks/payments.ts';
import type { SigningKeys } from '../tasks/signing-keys.ts';
import { awayRefusal } from './away-refusal.ts';
import { BASE, contractRoutes, otherRoutes } from './public-routes.ts';

/** Paths of load balancers and monitors, some of which use HTTP/1.0. */
export const CHECKS: ReadonlySet<string> = new Set(['/healthz', '/readyz', `${BASE}/status`]);

export interface App extends Served {
  /** The contract that GET /openapi returns; generated on first use. */
  readonly document: () => Promise<object>;
}

/** The parts of all public routes and of the checks that precede them. */
export type AppParts = Omit<PartsOf<ReturnType<typeof contractRoutes>>, 'document'> &
  PartsOf<ReturnType<typeof otherRoutes>> &
  Omit<PortalParts, 'fetch' | 'frame'> &
  Pick<FoundationParts, 'log' | 'clock' | 'requestMetrics' | 'noteAnswer' | 'isTidied'> &
  ConfiguredParts;

interface ConfiguredParts {
  readonly config: Config;
  readonly payments: Pick<PaymentParts, 'processor' | 'priceList'>;
  /** The operator's security.txt at a time in milliseconds since the Unix epoch; undefined if there is none. */
  readonly securityTxt: ((now: number) => string) | undefined;
  readonly limits: Pick<Limits, 'countUnknownPath'>;
  readonly signingKeys: SigningKeys;
  readonly brand: Brand;
}

/** Creates the app of the public listener: API, portal and public pages. */
export function createApp(parts: AppParts): App {
  const { config, catalog, limits, payments, securityTxt } = parts;
  const inContract = contractRoutes({ catalog, priceList: payments.priceList });
  const document = loadOnce(() => describeApi(documented(inContract), PUBLIC_API, config.baseUrl ?? '/'));

  const others = otherRoutes({ config, securityTxt, processor: payments.processor });
  const failurePage = config.portal ? portalFailures(parts.brand) : () => undefined;
  const portal = config.portal ? portalPages({ ...parts, fetch: (request) => fetch(request) }) : [];
  const { fetch, paths } = onFoundation(
    {
      ...parts,
      overTls: config.tlsCert !== undefined,
      hstsSeconds: config.hstsSeconds,
      bodyTimeoutSeconds: config.bodyTimeoutSeconds,
      flatPaths: {
        [BASE + LICENSE_VERIFY]: invalidLicense(catalog),
        [BASE + TRIAL]: {},
        [BASE + CHECKOUT]: {},
      },
      pageAt: (path) => REFUSAL_PAGES[path] ?? taxiiFailures(path) ?? failurePage(path),
      insideCallerOf: parts.inside.callerOf,
      countUnknownPath: limits.countUnknownPath,
      awayRefusal,
      showLimits: parts.peekLimits,
    },
    [...endpointsOf([...others, ...inContract], { ...parts, document }), ...portal],
  );
  const signing = {
    path: BASE + LICENSE_VERIFY,
    baseUrl: config.baseUrl,
    signer: () => parts.signingKeys.signer('reply'),
    now: parts.clock.now,
  };
  return { fetch: signReplies(fetch, signing), paths, checks: CHECKS, document };
}
