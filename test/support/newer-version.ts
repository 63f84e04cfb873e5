import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUN } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

const ROOT = join(import.meta.dir, '../..');
const SOURCES = ['src', 'drizzle', 'docs', 'systemd', 'build.ts', 'package.json', 'tsconfig.json'];
const FOLDER = '99991231235959_further';

/** Builds the executable that a later version will be: the same with one more migration. */
export async function buildNewerVersion(sql: string): Promise<string> {
  const root = temporaryDirectory();
  for (const name of SOURCES) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const [folder, list] of [
    ['drizzle', 'src/storage/engine/migrations.ts'],
    ['drizzle/postgres', 'src/storage/engine/postgres/migrations.ts'],
  ] as const) {
    mkdirSync(join(root, folder, FOLDER));
    writeFileSync(join(root, folder, FOLDER, 'migration.sql'), sql);
    const path = join(root, list);
    const up = '../'.repeat(list.split('/').length - 1);
    const text = readFileSync(path, 'utf8').replace(/(BY_NAME.* = \{[^}]*nodes)(,?\s*\})/, '$1, further$2');
    writeFileSync(
      path,
      `import further from '${up}${folder}/${FOLDER}/migration.sql' with { type: 'text' };\n${text}`,
    );
  }
  const outfile = join(root, 'dist/redoubt');
  await promisify(execFile)(BUN, [join(root, 'build.ts'), '--outfile', outfile], { cwd: root });
  return outfile;
}
