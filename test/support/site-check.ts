import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CLIENTS } from './plugin.ts';
import { temporaryDirectory } from './temporary.ts';

export const SCRIPT = join(CLIENTS, 'redoubt-site-check.php');
/** The settings of a service with limits that stop no check. */
export const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };
export const ORDINARY = '<?php echo esc_html( get_the_title() );';
export const SHELL = '@eval($_POST["x"]);';
const isPhpThere = spawnSync('php', ['--version']).status === 0;
/** Whether the site check can run here, and the end of a title that reports it. */
export const SITE_CHECK = { isThere: isPhpThere, unlessThere: isPhpThere ? '' : ' (not run: needs php-cli)' };

interface Told {
  readonly checked: number;
  readonly unchanged: number;
  readonly nothing_to_send: number;
  readonly unchecked: number;
  readonly findings: number;
  readonly accepted: number;
  readonly requests: number;
  readonly complete: boolean;
  readonly error: string | null;
  readonly message: string | null;
}

/** A user without root's read access, and the command prefix to become that user. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const BECOME = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
export const canBeNobody = !isRoot || spawnSync('setpriv', ['--version']).status === 0;

/** A site of files, which the script checks. */
export function siteOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const home = temporaryDirectory();
  const root = join(home, 'site');
  mkdirSync(root);
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    // As if it were old.
    utimesSync(join(root, path), 1_700_000_000, 1_700_000_000);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const state = join(home, 'state');
  /** @param before the words before the script, if not `php` alone */
  const check = (
    url: string,
    key: string,
    flags: readonly string[] = [],
    before: readonly string[] = ['php'],
  ) => {
    const [command = '', ...words] = [
      ...before,
      SCRIPT,
      '--url',
      url,
      '--root',
      root,
      '--state',
      state,
      ...flags,
    ];
    return new Promise<{ code: number; lines: string[]; told: Told }>((resolve, reject) => {
      const env = { ...process.env, REDOUBT_KEY: key };
      const child = execFile(command, words, { env, timeout: 100_000 }, (_, stdout, stderr) => {
        if (stderr !== '' || stdout.includes(key))
          reject(new Error(`It wrote more than it found: ${stderr}`));
        const lines = stdout.trimEnd().split('\n');
        resolve({ code: child.exitCode ?? -1, told: JSON.parse(lines.pop() ?? ''), lines });
      });
    });
  };
  /** Runs the script as a user to whom file permissions apply. */
  const checkAsNobody = (url: string, key: string) => {
    if (isRoot) for (const folder of [home, root]) chownSync(folder, NOBODY, NOBODY);
    chmodSync(home, 0o700);
    return check(url, key, [], [...BECOME, 'php']);
  };
  return { home, root, state, write, check, checkAsNobody };
}

type Item = { readonly content: string };

/** A substitute for the service: answers as configured, otherwise that everything is clean. */
export function standIn(answer: (items: readonly Item[], times: number) => Response | undefined) {
  const contents: string[] = [];
  let times = 0;
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      if (request.method === 'GET') return Response.json({}, { headers: { 'x-service-version': '1.0.0' } });
      const { items } = (await request.json()) as { items: Item[] };
      times += 1;
      const other = answer(items, times);
      if (other !== undefined) return other;
      contents.push(...items.map(({ content }) => content));
      const clean = { verdict: 'clean', score: 1, reasons: [] };
      return Response.json({ data: { items: items.map(() => clean) } });
    },
  });
  return { url: String(server.url), contents, end: () => server.stop(true) };
}

export const refusal = (status: number, code: string, message = '', headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message } }, { status, headers });
