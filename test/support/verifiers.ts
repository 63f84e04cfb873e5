import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedKey } from '../../src/domain/signing/published-keys.ts';
import { CLIENTS } from './plugin.ts';
import { BUN, DENO } from './service.ts';
import { temporaryDirectory } from './temporary.ts';
import type { FileVector, ReplyVector } from './vectors.ts';

/** The input of a verifier, and the expected results in this order: replies before files. */
export interface Cases {
  readonly keys: readonly PublishedKey[];
  readonly replies: readonly Omit<ReplyVector, 'holds'>[];
  readonly files: readonly Omit<FileVector, 'holds'>[];
}

const PHP = `require $argv[1];
  ['keys' => $keys, 'replies' => $replies, 'files' => $files] = json_decode(stream_get_contents(STDIN), true);
  foreach ($replies as $r) $said[] = redoubt_reply_holds($r['status'], $r['headers'], $r['body'], $r['url'], $r['nonce'], $keys, $r['now']);
  foreach ($files as $f) $said[] = redoubt_license_file($f['text'], $keys, $f['now']) !== null;
  echo json_encode($said);`;

const TYPESCRIPT = `import { readFileSync } from 'node:fs';
  import { licenseFile, replyHolds } from ${JSON.stringify(join(CLIENTS, 'redoubt-verify.ts'))};
  const { keys, replies, files } = JSON.parse(readFileSync(0, 'utf8'));
  console.log(JSON.stringify([
    ...replies.map((r) => replyHolds({ ...r, headers: new Headers(r.headers) }, r, keys, r.now * 1000)),
    ...files.map((f) => licenseFile(f.text, keys, f.now * 1000) !== undefined),
  ]));`;

const asked = (command: string, words: readonly string[], cases: Cases): boolean[] =>
  JSON.parse(execFileSync(command, words, { input: JSON.stringify(cases), encoding: 'utf8' }));

function byTypescript(command: string, before: readonly string[], cases: Cases): boolean[] {
  const driver = join(temporaryDirectory(), 'driver.mjs');
  writeFileSync(driver, TYPESCRIPT);
  return asked(command, [...before, driver], cases);
}

function byShell({ keys, replies, files }: Cases): boolean[] {
  const folder = temporaryDirectory();
  const lay = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const keysFile = lay('keys', JSON.stringify({ keys }));
  const holds = (now: number, ...words: string[]) => {
    const env = { ...process.env, REDOUBT_NOW: String(now) };
    const { status } = spawnSync('sh', [join(CLIENTS, 'redoubt-verify.sh'), ...words], { env });
    return status === 0;
  };
  return [
    ...replies.map(({ status, headers, body, url, nonce, now }) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = lay('head', `HTTP/1.1 ${status} X\r\n${lines.join('')}\r\n`);
      return holds(now, 'reply', head, lay('body', body), url, nonce, keysFile);
    }),
    ...files.map(({ text, now }) => holds(now, 'license', lay('file', text), keysFile)),
  ];
}

const hasSodium = (spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? '').includes('sodium');

/** The verifiers of docs/clients, and whether they can run here. */
export const VERIFIERS = [
  {
    name: 'PHP',
    isThere: hasSodium,
    needs: 'php-cli with sodium',
    ask: (cases: Cases) => asked('php', ['-r', PHP, '--', join(CLIENTS, 'redoubt-verify.php')], cases),
  },
  { name: 'Bun', isThere: true, needs: '', ask: (cases: Cases) => byTypescript(BUN, [], cases) },
  {
    name: 'Deno',
    isThere: true,
    needs: '',
    ask: (cases: Cases) => byTypescript(DENO, ['run', '--quiet', '-A'], cases),
  },
  {
    name: 'sh with openssl',
    isThere: spawnSync('openssl', ['version']).status === 0,
    needs: 'openssl',
    ask: byShell,
  },
] as const;

/** As in docs/clients/vectors.json. */
export const keptVectors = (): unknown => JSON.parse(readFileSync(join(CLIENTS, 'vectors.json'), 'utf8'));
