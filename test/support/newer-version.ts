import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUN } from './service.ts';
import { lastingDirectory } from './temporary.ts';

const ROOT = join(import.meta.dir, '../..');
const SOURCES = ['src', 'tools', 'drizzle', 'docs', 'systemd', 'build.ts', 'package.json', 'tsconfig.json'];
const FOLDER = '99991231235959_further';

/** Differences of another version from this one. */
export interface OtherVersion {
  /** One more migration. */
  readonly sql?: string;
  readonly version?: string;
  /** The date of its commit, in seconds since the Unix epoch; by default, it is built without git. */
  readonly committedAt?: number;
  /** A file with a minisign public key. */
  readonly releaseKey?: string;
  /** Changes the text of a file of the source. */
  readonly edits?: Readonly<Record<string, (text: string) => string>>;
}

/** Builds the executable of a later version: the same with one more migration. */
export const buildNewerVersion = (sql: string): Promise<string> => buildOtherVersion({ sql });

export async function buildOtherVersion(other: OtherVersion): Promise<string> {
  const { sql, version, committedAt, releaseKey, edits = {} } = other;
  const root = lastingDirectory();
  for (const name of SOURCES) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const edit = (name: string, by: (text: string) => string) => {
    const path = join(root, name);
    const text = readFileSync(path, 'utf8');
    const edited = by(text);
    if (edited === text) throw new Error(`${name} is as it was`);
    writeFileSync(path, edited);
  };
  if (sql !== undefined) addMigration(root, sql, edit);
  if (version !== undefined)
    edit('package.json', (text) => text.replace(/"version": ".*"/, `"version": "${version}"`));
  for (const [name, by] of Object.entries(edits)) edit(name, by);
  if (committedAt !== undefined) commit(root, committedAt);
  const outfile = join(root, 'dist/redoubt');
  const keys = releaseKey === undefined ? [] : ['--release-key', releaseKey];
  await promisify(execFile)(BUN, [join(root, 'build.ts'), '--outfile', outfile, ...keys], { cwd: root });
  return outfile;
}

function addMigration(root: string, sql: string, edit: (name: string, by: (text: string) => string) => void) {
  for (const [folder, list] of [
    ['drizzle', 'src/storage/engine/migrations.ts'],
    ['drizzle/postgres', 'src/storage/engine/postgres/migrations.ts'],
  ] as const) {
    mkdirSync(join(root, folder, FOLDER));
    writeFileSync(join(root, folder, FOLDER, 'migration.sql'), sql);
    const up = '../'.repeat(list.split('/').length - 1);
    const added = `import further from '${up}${folder}/${FOLDER}/migration.sql' with { type: 'text' };\n`;
    edit(list, (text) => added + text.replace(/(BY_NAME.* = \{[^}]*[^,\s])(,?\s*\})/, '$1, further$2'));
  }
}

function commit(root: string, at: number): void {
  const date = `${at} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: root,
      env,
    });
  git('init', '--quiet');
  writeFileSync(join(root, '.git/info/exclude'), 'node_modules\ndist\n');
  git('add', '.');
  git('commit', '--quiet', '--message=A version');
}
