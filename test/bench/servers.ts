import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const BUN = join(ROOT, 'node_modules/.bin/bun');

export const folder = mkdtempSync(join(tmpdir(), 'redoubt-bench-'));
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Built like the release, because that is what is measured. */
export function buildRedoubt(): string {
  const outfile = join(folder, 'redoubt');
  execFileSync(BUN, ['build.ts', '--outfile', outfile], { cwd: ROOT, stdio: 'pipe' });
  return outfile;
}

/** A bare server, compiled in the same way: `fetch` is the source of its handler. */
export function buildCeiling(name: string, prelude: string, fetch: string): string {
  const source = join(folder, `${name}.ts`);
  const outfile = join(folder, name);
  writeFileSync(
    source,
    `${prelude}\nconst server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ${fetch} });\nconsole.error(\`"url":"\${server.url.origin}"\`);\n`,
  );
  execFileSync(
    BUN,
    ['build', '--compile', '--minify', '--bytecode', '--format=esm', source, '--outfile', outfile],
    {
      stdio: 'pipe',
    },
  );
  return outfile;
}

/** Starts a server that logs its address as `"url":"…"`, with its log in a file as under systemd. */
export async function startServer(command: string, args: readonly string[], env: Record<string, string>) {
  const log = join(folder, `${Math.random()}.log`);
  const child = spawn(command, args, {
    env: { ...env, PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  });
  children.add(child);
  while (true) {
    const url = /"url":"([^"]+)"/.exec(await Bun.file(log).text())?.[1];
    if (url)
      return {
        url,
        stop: () => new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGTERM')),
      };
    if (child.exitCode !== null) throw new Error(`${command} ended: ${await Bun.file(log).text()}`);
    await Bun.sleep(10);
  }
}
