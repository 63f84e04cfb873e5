import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SRC = join(import.meta.dir, '../src');
const TOOLS = '../tools/';
const filesIn = (folder: string) => [...new Bun.Glob('**/*.{ts,tsx}').scanSync(join(SRC, folder))];
const files = [...filesIn(''), ...filesIn(TOOLS).map((file) => TOOLS + file)].filter(
  (file) => !file.endsWith('.d.ts'),
);
const sourceOf = (file: string) => readFileSync(join(SRC, file), 'utf8');
const floorOf = (file: string) => {
  if (file.startsWith(TOOLS)) return 'tools';
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : 'entries';
};

// What is embedded as text is no code of ours.
const ALL = /(?:from |import |import\()'(\.[^']+\.tsx?)'(?! with)/g;
const VALUES = /(?:^(?:import|export) (?!type )(?:[^;']* from )?|import\()'(\.[^']+\.tsx?)'(?! with)/gm;

/** Without what is imported when it is asked for. */
const AT_ONCE = /^(?:import|export) (?!type )(?:[^;']* from )?'(\.[^']+\.tsx?)'(?! with)/gm;

/** What a file imports of ours, types included. */
const importsOf = (file: string, which = ALL): string[] =>
  [...sourceOf(file).matchAll(which)].map(([, specifier]) =>
    relative(SRC, join(SRC, file, '..', specifier as string)),
  );

/** What is loaded with a file, itself included. */
const loadedFrom = (file: string, which: RegExp, loaded = new Set<string>()): ReadonlySet<string> => {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const imported of importsOf(file, which)) loadedFrom(imported, which, loaded);
  return loaded;
};

/** From the ground up. */
const FLOORS = [
  'lib',
  'runtime',
  'domain',
  'analysis',
  'mirror',
  'settings',
  'storage',
  'outside',
  'payments',
  'http',
  'tasks',
  'operator',
  'terminal',
  'signals',
  'routes',
  'pages',
  'acts',
  'console',
  'portal',
  'cli',
  'server',
  'entries',
  'tools',
];

/** Floors below that a floor keeps away from all the same. */
const APART: Readonly<Record<string, readonly string[]>> = {
  analysis: ['runtime'],
  domain: ['runtime'],
  mirror: ['runtime', 'analysis'],
  http: ['storage', 'outside', 'payments'],
  terminal: ['http'],
  cli: ['http', 'signals', 'routes', 'pages', 'console', 'portal'],
  portal: ['operator', 'tasks', 'console'],
};

/** A grammar is a circle: statements hold expressions, which hold functions, which hold statements. */
const CIRCLE = /^analysis\/php\//;

test.each(FLOORS)('%s imports only from itself and the floors below, types included', (floor) => {
  const own = files.filter((file) => floorOf(file) === floor);
  expect(own.length).toBeGreaterThan(0);
  const below = FLOORS.slice(0, FLOORS.indexOf(floor) + 1).filter((name) => !APART[floor]?.includes(name));
  for (const file of own) {
    for (const imported of importsOf(file))
      expect([file, below]).toEqual([file, expect.arrayContaining([floorOf(imported)])]);
  }
});

test('every file stands on a floor, and only entry points stand on none', () => {
  expect([...new Set(files.map(floorOf))].sort()).toEqual([...FLOORS].sort());
  expect(files.filter((file) => floorOf(file) === 'entries').sort()).toEqual([
    'analysis-process.ts',
    'main.ts',
    'storage-thread.ts',
  ]);
});

test('no file imports itself by way of others, but for one grammar', () => {
  const circles: string[][] = [];
  const done = new Set<string>();
  const follow = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push(path.slice(path.indexOf(file)));
    else if (!done.has(file)) {
      for (const imported of importsOf(file)) follow(imported, [...path, file]);
      done.add(file);
    }
  };
  for (const file of files) follow(file, []);
  expect(circles.filter((circle) => !circle.every((file) => CIRCLE.test(file)))).toEqual([]);
  expect(circles.length).toBeGreaterThan(0);
});

test('the service does not load the engine of the analysis, which has a process of its own', () => {
  const loaded = loadedFrom('main.ts', VALUES);
  expect([...loaded].filter((file) => /^analysis\/(?:php|js|request|text)\//.test(file))).toEqual([]);
  expect(loaded.has('routes/analysis.ts')).toBe(true);
});

test('the thread that answers requests does not load the jobs of the storage threads when it starts', () => {
  const loaded = loadedFrom('server/wiring.ts', AT_ONCE);
  expect([...loaded].filter((file) => /^storage\/(?:subjects|[a-z]+\/index)\.ts$/.test(file))).toEqual([]);
  expect(loadedFrom('server/wiring.ts', VALUES).has('storage/subjects.ts')).toBe(true);
});

test('the protocol of identity providers is loaded on first use, by the console and by doctor', () => {
  const protocol = files.filter((file) => /from 'oauth4webapi'/.test(sourceOf(file)));
  expect(protocol.length).toBeGreaterThan(0);
  for (const entry of ['server/wiring.ts', 'operator/doctor/examine.ts']) {
    const loaded = loadedFrom(entry, AT_ONCE);
    expect(protocol.filter((file) => loaded.has(file))).toEqual([]);
    expect(loadedFrom(entry, VALUES).has('outside/oidc/metadata.ts')).toBe(true);
  }
});

test('a command loads no code of others: of the commands, only their names are loaded at once', () => {
  const loaded = loadedFrom('cli/program.ts', AT_ONCE);
  expect([...loaded].filter((file) => !/^(?:cli|lib|terminal)\//.test(file))).toEqual([]);
  expect([...loaded].filter((file) => !file.startsWith('lib/')).sort()).toEqual([
    'cli/commands.ts',
    'cli/program.ts',
    'cli/version.ts',
    'terminal/output.ts',
  ]);
});

test('commands, and the acts that they are made of, load neither Elysia nor JSX', () => {
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const imported of importsOf(file, VALUES)) load(imported);
  };
  for (const file of files.filter((each) => floorOf(each) === 'cli')) load(file);
  // Mail is written in JSX, which the first mail loads.
  loaded.delete('outside/notify/mail-body.tsx');
  expect([...loaded].filter((file) => /^acts\/licenses\//.test(file)).length).toBeGreaterThan(0);
  expect(
    [...loaded].filter(
      (file) => /\.tsx$/.test(file) || /^import [^;]*'(?:elysia|hono)/m.test(sourceOf(file)),
    ),
  ).toEqual([]);
});

test('acts are data: their definitions know nothing that renders them', () => {
  const definitions = files.filter((file) => /^acts\/\w+\/(?!routes\.ts)/.test(file));
  expect(definitions.length).toBeGreaterThan(5);
  const below = FLOORS.slice(0, FLOORS.indexOf('terminal')).filter((floor) => floor !== 'http');
  for (const file of definitions) {
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    const others = importsOf(file).filter(
      (imported) =>
        !/^acts\/(?:act|field)\.ts$/.test(imported) &&
        !imported.startsWith(folder) &&
        !below.includes(floorOf(imported)),
    );
    expect([file, others]).toEqual([file, []]);
  }
});

test('only runtime knows which runtime it runs on', () => {
  for (const file of files) {
    if (floorOf(file) !== 'runtime')
      expect([file, /\b(?:Bun|Deno)\./.test(sourceOf(file))]).toEqual([file, false]);
  }
});

test('nothing above storage sees Drizzle or the driver, and only its engine reaches for the driver', () => {
  const seeing = (pattern: RegExp, apart: string) =>
    files.filter((file) => !file.startsWith(apart) && pattern.test(sourceOf(file)));
  expect(seeing(/from '(?:drizzle-orm|node:sqlite)/, 'storage/')).toEqual([]);
  expect(seeing(/\$client/, 'storage/engine/')).toEqual([]);
});

test('no folder of storage holds more than 25 files and folders', () => {
  const folders = Map.groupBy(
    filesIn('storage').flatMap((file) => {
      const steps = file.split('/');
      return steps.map((_, at) => [steps.slice(0, at).join('/'), steps[at]] as const);
    }),
    ([folder]) => folder,
  );
  const sizes = [...folders].map(
    ([folder, held]) => [folder, new Set(held.map(([, name]) => name)).size] as const,
  );
  expect(sizes.length).toBeGreaterThan(15);
  expect(sizes.filter(([, size]) => size > 25)).toEqual([]);
});

test('two files know Elysia: what every request meets, and what mounts routes', () => {
  const knowing = files.filter((file) => /from 'elysia'/.test(sourceOf(file)));
  expect(knowing.sort()).toEqual(['http/foundation.ts', 'http/route/mount.ts']);
});

test('what goes over the wire has one TypeBox, that of Elysia, and all else the other', () => {
  const using = (name: string) => {
    const from = new RegExp(`from '${name}[/']`);
    return [...new Set(files.filter((file) => from.test(sourceOf(file))).map(floorOf))].sort();
  };
  expect([using('@sinclair/typebox'), using('typebox')]).toEqual([
    ['acts', 'http', 'portal', 'routes', 'signals'],
    ['operator', 'outside', 'settings', 'storage'],
  ]);
});
