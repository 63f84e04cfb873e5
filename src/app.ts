import { Elysia } from 'elysia';
import { logAccess } from './http/access-log.ts';
import { answerDirectly } from './http/direct.ts';
import { answerFailure } from './http/failures.ts';
import { capUrl, refuseOddHost, stampHeaders } from './http/headers.ts';
import { describeApi, methodsByPath, wireNames } from './http/openapi.ts';
import { SECOND_MS } from './lib/clock.ts';
import type { Parts } from './parts.ts';
import { auth } from './routes/auth.ts';
import { CHECKOUT, checkout } from './routes/checkout.ts';
import { checkoutPage } from './routes/checkout-page.ts';
import { docs } from './routes/docs.ts';
import { health } from './routes/health.ts';
import { answerLicenseVerify, invalidLicense, LICENSE_VERIFY, license } from './routes/license.ts';
import { me } from './routes/me.ts';
import { openapi } from './routes/openapi.ts';
import { status } from './routes/status.ts';
import { telemetry } from './routes/telemetry.ts';
import { answerThreatFeed, THREAT_FEED, threatFeed } from './routes/threat-feed.ts';
import { threatReport } from './routes/threat-report.ts';
import { TRIAL, trial } from './routes/trial.ts';
import { webhook } from './routes/webhook.ts';
import { VERSION } from './version.ts';

const BASE = '/api/v1';

export interface App {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** The contract, as GET /openapi serves it. */
  readonly document: object;
}

/** The whole service as one function from request to response. */
export async function createApp(parts: Parts): Promise<App> {
  let document: object = {};
  const verifyLicense = answerLicenseVerify(parts);
  const readThreatFeed = answerThreatFeed(parts);

  const api = new Elysia({ prefix: BASE })
    .use(status(parts))
    .use(openapi(parts, () => document))
    .use(auth(parts))
    .use(me(parts))
    .use(license(verifyLicense))
    .use(trial(parts))
    .use(checkout(parts))
    .use(telemetry(parts))
    .use(threatReport(parts))
    .use(threatFeed(readThreatFeed));

  const log = logAccess(parts.log, parts.clock.monotonic);
  const failures = answerFailure({
    log: parts.log,
    logAccess: log,
    flatPaths: { [BASE + LICENSE_VERIFY]: invalidLicense(parts), [BASE + TRIAL]: {}, [BASE + CHECKOUT]: {} },
    methodsOf: (path) => methods.get(path),
    isOurName: (name) => names.has(name),
    showLimits: parts.peekLimits,
  });

  const stamp = stampHeaders(VERSION, parts.clock.monotonic, parts.config.bodyTimeoutSeconds * SECOND_MS);
  const direct = answerDirectly({
    routes: new Map([
      [`POST ${BASE}${LICENSE_VERIFY}`, verifyLicense],
      [`GET ${BASE}${THREAT_FEED}`, readThreatFeed],
    ]),
    stamp,
    answerFailure: failures,
    logAccess: log,
  });

  const overTls = parts.config.tlsCert !== undefined;
  const app = new Elysia({
    normalize: false,
    strictPath: true,
    // Where Elysia begins to look for the path: right behind `http://`, else behind the shortest host of
    // a TLS address; refuseOddHost covers what that would misread.
    handler: { standardHostname: overTls },
  })
    .onRequest(stamp)
    .onRequest(refuseOddHost)
    // Bodies are read by the routes' own hooks, under their caps.
    .onParse({ as: 'global' }, () => null)
    .onError({ as: 'global' }, failures)
    .onAfterHandle({ as: 'global' }, ({ request, set, route }) => log({ request, set, route }))
    .onTransform({ as: 'global' }, capUrl)
    .use(health(parts))
    .use(docs(parts))
    .use(checkoutPage(parts))
    .use(webhook(parts))
    .use(api);

  const methods = methodsByPath(app);
  const names = wireNames(app);
  document = await describeApi(api, parts.config.baseUrl ?? '/');
  return { fetch: (request) => direct(request) ?? app.fetch(request), document };
}
