import { type AnyElysia, Elysia } from 'elysia';
import { type Named, refuseDoubles } from '../../src/lib/refuse-doubles.ts';
import { createAdminApp } from '../../src/server/admin-app.ts';
import { describeContract } from '../../src/server/describe-contract.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { adminPartsOf } from './admin.ts';
import { newDatabase } from './database.ts';

// Prints what Elysia does for every request: run as a program, from the source and minified as in the executable.

/** What a request is parsed for, by what Elysia writes for it. */
const PARSED = {
  cookies: 'parseCookie(',
  query: 'parseQueryFromURL(',
  headers: 'c.headers=',
  server: 'getServer()',
} as const;

export interface ComposedRoute {
  readonly route: string;
  readonly parsed: readonly (keyof typeof PARSED)[];
  /** The steps that it waits for, such as `transform[1]`. */
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

/** Every route that is added to an app, also in the place of another. */
const added = new Map<unknown, Named[]>();
type Added = (
  method: string,
  path: string,
  handler: unknown,
  hooks?: { detail?: { operationId?: string } },
) => unknown;
const adding = Elysia.prototype as unknown as { add: Added };
const { add } = adding;
adding.add = function (this: unknown, method, path, handler, hooks, ...more: unknown[]) {
  const route = { name: `${method} ${path}`, place: hooks?.detail?.operationId ?? 'no operation' };
  added.set(this, [...(added.get(this) ?? []), route]);
  return Reflect.apply(add, this, [method, path, handler, hooks, ...more]);
} as Added;

await describeContract(loadConfig({}));
createAdminApp(adminPartsOf(connect(newDatabase())));
// A hook with the mistake that is looked for, by which the test sees that it would be found.
const wrong = new Elysia({ strictPath: true })
  .onTransform((context) => JSON.stringify(context) as unknown as undefined)
  .use(new Elysia())
  .get('/wrong', () => '', { detail: { operationId: 'first' } })
  .use(new Elysia().get('/wrong', () => '', { detail: { operationId: 'second' } }));
apps.add(wrong);

/** An app's own routes, behind what every request meets first. */
const printed = [...apps]
  .filter(({ config }) => config.strictPath)
  .map((app) => {
    const routes = app.routes.map(({ method, path, compile }) =>
      composed(`${method} ${path}`, String((compile as () => unknown)())),
    );
    return [composed('every request', String(app.fetch)), ...routes];
  });

const doubles = [...added.values()].flatMap((routes) => {
  try {
    refuseDoubles('route', routes);
    return [];
  } catch (error) {
    return String(error);
  }
});
console.log(JSON.stringify({ apps: printed, doubles }));
