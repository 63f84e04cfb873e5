import { beforeAll, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import valid from 'semver/functions/valid.js';
import packageJson from '../../package.json';
import { sourceAt } from '../../tools/release/source.ts';
import { type RunningService, run, sharedService } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const ROOT = join(import.meta.dir, '../..');
const { version } = packageJson;

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const output = async (...words: string[]) => (await run('binary', {}, ...words)).stdout;

test('package.json has a SemVer version', () => {
  expect(valid(version)).toBe(version);
});

test('the changelog begins with the version of package.json', () => {
  const [, newest] = /^## (\S+)/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  expect(newest).toBe(version);
});

test('the executable, its answers and its contract report the version of package.json', async () => {
  expect(JSON.parse(await output('version', '--json')).version).toBe(version);
  expect(await output('--version')).toStartWith(`redoubt ${version} (`);
  const answer = await fetch(`${service.url}/api/v1/status`);
  expect(answer.headers.get('x-service-version')).toBe(version);
  const { paths } = JSON.parse(await output('openapi'));
  const { headers } = paths['/api/v1/status'].get.responses['200'];
  expect(headers['X-Service-Version'].schema.example).toBe(version);
});

test('the executable reports its commit and build date', async () => {
  const { commit, built_at } = JSON.parse(await output('version', '--json'));
  const { committedAt } = sourceAt(ROOT);
  expect(await output('--version')).toContain(
    built_at === null ? '(built without git, ' : `(commit ${commit}, built ${built_at}, `,
  );
  if (committedAt !== undefined) expect(commit).toMatch(/^[0-9a-f]{12}(-modified)?$/);
});

test("a folder without git has no commit, nor one within another project's repository", () => {
  const unpacked = join(temporaryDirectory(), 'some', 'redoubt-0.1.0');
  mkdirSync(unpacked, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(unpacked, 'package.json'));
  const unknown = { commit: 'unknown', commitHash: '', committedAt: undefined };
  expect(sourceAt(unpacked)).toEqual(unknown);
  const git = (...words: string[]) =>
    execFileSync('git', [...words], { cwd: join(unpacked, '..'), stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message=Something else');
  expect(sourceAt(unpacked)).toEqual(unknown);
  expect(sourceAt(join(unpacked, '..')).commit).toMatch(/^[0-9a-f]{12}$/);
});
