import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import type { PostgresServer } from './postgres.ts';
import { until } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

/** A user who became root by `su` may lack its folder. */
const PROGRAM = Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` });

export const isPgBouncerThere = PROGRAM !== null;

export interface PgBouncer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts a pooler in front of a server, for its user `redoubt` only. */
export async function startPgBouncer(
  { directory }: PostgresServer,
  mode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer> {
  const folder = temporaryDirectory();
  const port = await freePort();
  writeFileSync(join(folder, 'users'), '"redoubt" ""\n');
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    [
      `[databases]\n* = host=${directory} port=5432`,
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      `auth_type = trust\nauth_file = ${folder}/users\npool_mode = ${mode}\ndefault_pool_size = 60`,
    ].join('\n'),
  );
  // It refuses to run as root, and another user must have access to these.
  for (const path of [folder, directory]) chmodSync(path, 0o755);
  const otherUser = process.getuid?.() === 0 ? ['--reuid', 'nobody', '--clear-groups'] : [];
  const words = [...otherUser, '--pdeathsig', 'KILL', PROGRAM ?? '', file];
  const child = spawn('setpriv', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (text) => {
    output += text;
  });
  await until(
    () => output.includes('process up'),
    10_000,
    () => output,
  );
  return {
    port,
    stop() {
      const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      return over;
    },
  };
}
