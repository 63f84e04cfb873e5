import { describe, expect, test } from 'bun:test';
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { binary, run, start, until } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly security_score: number;
}

/** The displayed tenant has sites of every state and score, and the feed has reports of several customers. */
async function expectEveryState(printed: string): Promise<void> {
  const [, url = ''] = /Portal\s+(\S+)\/portal/.exec(printed) ?? [];
  const [, key = ''] = /License key\s+(\S+)/.exec(printed) ?? [];
  const ask = async (path: string) =>
    (
      (await (
        await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
      ).json()) as {
        data: { sites: Shown[]; entries: unknown[]; events: { total: number } };
      }
    ).data;
  const { sites } = await ask('/sites');
  expect(sites).toHaveLength(12);
  expect(new Set(sites.map(({ status }) => status))).toEqual(new Set(['active', 'stale']));
  const scores = sites.map((site) => site.security_score);
  expect([Math.min(...scores), Math.max(...scores)]).toEqual([38, 100]);
  expect(new Set(scores).size).toBeGreaterThan(6);
  expect((await ask('/threat-feed')).entries).toHaveLength(40);
  const { events } = await ask(`/sites/${sites[0]?.id}`);
  expect(events.total).toBeGreaterThan(50);
}

test('every line that the demonstration prints works when pasted, and its data is deleted afterwards', async () => {
  const TMPDIR = temporaryDirectory();
  const demo = spawn(await binary(), ['serve', '--demo'], {
    env: { TMPDIR, SERVICE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => demo.once('exit', resolve));
  try {
    let printed = '';
    demo.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await until(() => printed.includes('Ctrl+C'));
    const commands = printed.split('\n').filter((line) => line.startsWith('  curl'));
    expect(commands.length).toBe(2);
    for (const command of commands) {
      const answer = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
      expect(answer.success ?? answer.valid).toBe(true);
      if (command.includes('/sites/')) expect(answer.data.findings).toHaveLength(1);
    }
    const links = [...printed.matchAll(/http:\/\/[^\s/]+\/(?:console|portal|docs)\S*/g)].map(
      ([link]) => link,
    );
    expect(links).toHaveLength(4);
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    await expectEveryState(printed);
    const [directory = ''] = readdirSync(TMPDIR);
    expect(printed).toContain(`Data           ${join(TMPDIR, directory)}  (deleted when it ends)\n`);
  } finally {
    demo.kill('SIGINT');
  }
  expect([await ended, readdirSync(TMPDIR)]).toEqual([0, []]);
}, 20_000);

test('a demonstration ignores a configured PostgreSQL and prints what to do', async () => {
  const env = { SERVICE_DATABASE_URL: 'postgres://redoubt@127.0.0.1:1/live', TMPDIR: temporaryDirectory() };
  const { exitCode, stdout, stderr } = await run('binary', env, 'serve', '--demo');
  expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('Unset SERVICE_DATABASE_URL')]);
  expect(readdirSync(env.TMPDIR)).toEqual([]);
});

describe('a demonstration in a named directory', () => {
  const demo = (directory: string, port = '0') =>
    run('binary', { SERVICE_DATA_DIR: directory, SERVICE_PORT: port }, 'serve', '--demo');

  test('adds nothing to an existing database, and prints what to do', async () => {
    // Its own process: the demonstration refuses its data directory.
    const { env, issue, command, end } = await start('binary');
    const directory = env.SERVICE_DATA_DIR as string;
    await issue('--plan', 'pro');
    const before = await command('license', 'list', '--json');
    await end();
    const { exitCode, stdout, stderr } = await demo(directory);
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('unset SERVICE_DATA_DIR')]);
    expect(await command('license', 'list', '--json')).toBe(before);
  });

  test('is created when the directory is empty or missing, and only once', async () => {
    const occupied = Bun.serve({ port: 0, fetch: () => new Response() });
    for (const directory of [temporaryDirectory(), join(temporaryDirectory(), 'new')]) {
      const made = await demo(directory, String(occupied.port));
      expect(made.stderr).toContain('cannot listen');
      const licenses = () => run('binary', { SERVICE_DATA_DIR: directory }, 'license', 'list', '--json');
      const before = (await licenses()).stdout;
      expect(new Set(JSON.parse(before).map(({ status }: { status: string }) => status))).toEqual(
        new Set(['active', 'trial', 'pending', 'suspended', 'expired', 'revoked']),
      );
      expect((await demo(directory)).stderr).toContain('requires an empty directory');
      expect((await licenses()).stdout).toBe(before);
    }
    await occupied.stop(true);
  });
});
