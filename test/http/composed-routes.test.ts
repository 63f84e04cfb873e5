import { describe, expect, test } from 'bun:test';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ComposedRoute } from '../support/composed-routes.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Elysia reads the source text of hooks and handlers to decide how it parses a request and which hooks it
// awaits. See "Elysia traps" in CONTRIBUTING.md.

const PROGRAM = join(import.meta.dir, '../support/composed-routes.ts');

const printedBy = async (program: string): Promise<readonly (readonly ComposedRoute[])[]> =>
  JSON.parse((await promisify(execFile)(process.execPath, [program], { maxBuffer: 1 << 24 })).stdout);

/** The program as build.ts compiles it into the executable. */
async function minified(): Promise<string> {
  const outdir = temporaryDirectory();
  const built = await Bun.build({
    entrypoints: [PROGRAM],
    outdir,
    minify: true,
    format: 'esm',
    target: 'bun',
    external: ['file-type', 'supports-color'],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  if (!built.success) throw new Error(built.logs.join('\n'));
  return join(outdir, 'composed-routes.js');
}

const fromSource = await printedBy(PROGRAM);

describe.each([
  ['from the source', fromSource],
  ['minified, as in the executable', await printedBy(await minified())],
])('%s', (_, [publicApp = [], adminApp = [], wrongApp = []]) => {
  const routes = [...publicApp, ...adminApp];

  test('no request has cookies, query, headers or server parsed for hooks that do not use them', () => {
    expect(routes.length).toBeGreaterThan(200);
    expect(routes.filter(({ parsed }) => parsed.length > 0)).toEqual([]);
  });

  test('a hook that passes on its whole context is detected', () => {
    expect(wrongApp.at(-1)?.parsed).toEqual(['cookies', 'query', 'headers', 'server']);
  });

  test('no request waits for a hook that returns no promise', () => {
    const steps = (app: readonly ComposedRoute[]) => app.map(({ route, awaited }) => [route, awaited]);
    expect(steps(publicApp)).toEqual(steps(fromSource[0] ?? []));
    expect(steps(adminApp)).toEqual(steps(fromSource[1] ?? []));
    const awaitedAt = (route: string) => publicApp.find((each) => each.route === route)?.awaited;
    expect(awaitedAt('every request')).toEqual([]);
    expect(awaitedAt('POST /api/v1/license/verify')).toEqual(['handler']);
    expect(awaitedAt('GET /api/v1/threat-feed')).toEqual(['handler']);
  });
});
