import { existsSync, readFileSync } from 'node:fs';
import { needOf } from './needs.ts';
import { suite } from './suite.ts';

// `bun test` without a file runs what needs neither a build nor another program; each other file is one skipped test that says so.

/** A start takes seconds on a busy machine; what Bun allows by default is less, and no setting of its configuration changes it. */
const PATIENCE = "import { setDefaultTimeout as allow } from 'bun:test'; allow(60_000);";

const skipped = (need: string) =>
  `import { test } from 'bun:test'; test.skip(${JSON.stringify(`needs ${need}: bun run verify runs it`)}, () => {});`;

/** Linux shows the command; the arguments that the runtime shows to this process are others. */
const COMMAND = '/proc/self/cmdline';
const [, , ...words] = existsSync(COMMAND) ? readFileSync(COMMAND, 'utf8').split('\0') : [];
/** Whether the command names files, or tests, which run with all they need. */
const namesTests = words.some((word) => word !== '' && !word.startsWith('-'));

if (suite === 'quick')
  Bun.plugin({
    name: 'quick-suite',
    setup(build) {
      build.onLoad({ filter: /\.test\.tsx?$/ }, ({ path }) => {
        const need = namesTests ? undefined : needOf(path);
        const contents = need === undefined ? PATIENCE + readFileSync(path, 'utf8') : skipped(need);
        return { loader: path.endsWith('x') ? 'tsx' : 'ts', contents };
      });
    },
  });
