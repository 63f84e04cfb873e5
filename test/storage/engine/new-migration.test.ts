import { expect, test } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/temporary.ts';

const ROOT = join(import.meta.dir, '../../..');
const files = (folder: string) => readdirSync(folder, { recursive: true }).sort();

test.each(['drizzle.config.ts', 'drizzle/postgres/drizzle.config.ts'])(
  'the migrations create the complete schema: a new one by %s would change nothing',
  async (config) => {
    const { dialect, schema, out } = (await import(join(ROOT, config))).default;
    const folder = join(temporaryDirectory(), 'migrations');
    cpSync(join(ROOT, out), folder, { recursive: true });
    const before = files(folder);
    const kit = Bun.spawn(
      [
        ...[process.execPath, 'node_modules/drizzle-kit/bin.cjs', 'generate'],
        ...[`--dialect=${dialect}`, `--schema=${schema}`, `--out=${folder}`],
      ],
      { cwd: ROOT, stdin: 'ignore', stderr: 'pipe' },
    );
    const output = (await new Response(kit.stdout).text()) + (await new Response(kit.stderr).text());
    expect([await kit.exited, output]).toEqual([0, expect.stringContaining('No schema changes')]);
    expect(files(folder)).toEqual(before);
  },
);
