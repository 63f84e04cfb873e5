import { type AnyElysia, Elysia } from 'elysia';
import { OWN_BRAND } from '../../src/domain/brand/brand.ts';
import { defaultOffer } from '../../src/domain/payment/price-list.ts';
import { InsideRequests } from '../../src/http/inside-requests.ts';
import { createLimits } from '../../src/http/limits.ts';
import { RequestMetrics } from '../../src/http/request-metrics.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createAdminApp } from '../../src/server/admin-app.ts';
import { type AppParts, createApp } from '../../src/server/app.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { adminPartsOf } from './admin.ts';
import { newDatabase } from './database.ts';

// Prints Elysia's work for every request: run as a program, from the source and minified as in the
// executable.

/** The parts of a request that Elysia's generated code parses. */
const PARSED = {
  cookies: 'parseCookie(',
  query: 'parseQueryFromURL(',
  headers: 'c.headers=',
  server: 'getServer()',
} as const;

export interface ComposedRoute {
  readonly route: string;
  readonly parsed: readonly (keyof typeof PARSED)[];
  /** The awaited steps, such as `transform[1]`. */
  readonly awaited: readonly string[];
}

const parsedIn = (code: string) =>
  (Object.keys(PARSED) as (keyof typeof PARSED)[]).filter((name) => code.includes(PARSED[name]));

const awaitedIn = (code: string) =>
  [
    ...code.matchAll(/await (?:e\.)?((?:onRequest|transform|beforeHandle|afterHandle)\[\d+\]|handler)\(c\)/g),
  ].map(([, step = '']) => step);

const composed = (route: string, code: string): ComposedRoute => ({
  route,
  parsed: parsedIn(code),
  awaited: awaitedIn(code),
});

const apps = new Set<AnyElysia>();
const { use } = Elysia.prototype;
Elysia.prototype.use = function (this: AnyElysia, ...plugins: unknown[]) {
  apps.add(this);
  return Reflect.apply(use, this, plugins);
} as typeof use;

/** Handlers are created by their first request: composing routes needs only a few of their parts. */
const mounting = {
  config: loadConfig({}),
  catalog: defaultOffer.catalog,
  clock: systemClock,
  log: silentLog,
  limits: createLimits(loadConfig({}), () => '', systemClock.monotonic),
  payments: { processor: undefined, priceList: defaultOffer.priceList },
  peekLimits: () => {},
  noteAnswer: () => {},
  isTidied: () => false,
  securityTxt: () => 'Contact: x',
  requestMetrics: new RequestMetrics(),
  inside: new InsideRequests(),
  brand: OWN_BRAND,
};
createApp(mounting as unknown as AppParts);
createAdminApp(adminPartsOf(connect(newDatabase())));
// A hook with the mistake, which shows that the test would detect it.
const wrong = new Elysia({ strictPath: true })
  .onTransform((context) => JSON.stringify(context) as unknown as undefined)
  .use(new Elysia())
  .get('/wrong', () => '');
apps.add(wrong);

/** An app's own routes, after the steps of every request. */
const printed = [...apps]
  .filter(({ config }) => config.strictPath)
  .map((app) => {
    const routes = app.routes.map(({ method, path, compile }) =>
      composed(`${method} ${path}`, String((compile as () => unknown)())),
    );
    return [composed('every request', String(app.fetch)), ...routes];
  });
console.log(JSON.stringify(printed));
