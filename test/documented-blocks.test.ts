import { beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { commandOf, type RunningService, start } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

// Needs bash, curl, jq and openssl.

const DOCS = join(import.meta.dir, '../docs');
const marked = new Marked();

/** The commands of a page by block. */
function blocksOf(page: string): string[] {
  const found: string[] = [];
  marked.walkTokens(marked.lexer(readFileSync(join(DOCS, `${page}.md`), 'utf8')), (token) => {
    if (token.type === 'code' && token.lang === 'sh') found.push(token.text);
  });
  return found;
}

const KEY_IN_USE = (purpose: string) => `$(redoubt keys list ${purpose} --json | jq -r '.[0].kid')`;

/**
 * Blocks that run unchanged, named by a line in each, with the placeholders that a reader replaces. Other
 * blocks need systemd, a network or downloaded files. The admin API comes last, because it revokes the
 * license.
 */
const RUN: readonly (readonly [page: string, lines: readonly string[], replaced?: Record<string, string>])[] =
  [
    ['licenses', ['license find example.com', '--count 500', 'license import', 'find - <', 'license rotate']],
    ['access', ['operator add', 'token create', 'audit --csv']],
    ['monitoring', ['alert acknowledge']],
    [
      'backup',
      ['backup verify', '--age-recipient'],
      { '/mnt/backup/redoubt-3f9a1c2e-20261124T031426Z.tar': '/mnt/backup/*.tar' },
    ],
    ['settings', ['config check']],
    ['evidence', ['/evidence/checkpoint']],
    ['analysis', ['/brain/analyze']],
    ['scans', ['"check":true', '--withdraw']],
    [
      'offline-licenses',
      ['license export', 'redoubt-verify.sh license', 'Accept-Signature', 'keys export'],
      { KID: KEY_IN_USE('license') },
    ],
    ['credentials', ['keys rotate --now'], { KID: KEY_IN_USE('') }],
    ['vulnerabilities', ['vulns assert']],
    ['whole-sites', ['/brain/analyze/batch']],
    ['clients', ['redoubt-client.php', 'basenc']],
    ['payments', ['payments problems']],
    ['admin-api', ['token create', 'Idempotency-Key', 'licenses/lic_1/rotate']],
  ];

/** Maps addresses and files of the documents to those of this test. The first failure ends the script. */
const BEFORE = String.raw`set -euo pipefail
here() { local words=("$@"); words=("${'$'}{words[@]//https:\/\/licenses.example.com/$URL}")
  words=("${'$'}{words[@]//http:\/\/localhost:8080/$URL}"); words=("${'$'}{words[@]//http:\/\/127.0.0.1:8081/$ADMIN_URL}")
  words=("${'$'}{words[@]//\/etc\/redoubt\/redoubt.env/$CONFIG}"); WORDS=("${'$'}{words[@]}"); }
curl() { here "$@"; command curl --fail-with-body "${'$'}{WORDS[@]}"; }
redoubt() { here "$@"; SERVICE_CONFIG=$CONFIG "$REDOUBT" "${'$'}{WORDS[@]}"; }
`;

let service: RunningService;
let license: { key: string };
let env: Record<string, string>;
const folder = temporaryDirectory();

beforeAll(async () => {
  // Its own process: its public address is the one in the documents.
  service = await start('binary', { SERVICE_BASE_URL: 'https://licenses.example.com' });
  license = await service.issue('--plan', 'pro', '--domain', 'shop.example.com');
  const config = join(folder, 'redoubt.env');
  const lines = Object.entries(service.env).filter(([name]) => name.startsWith('SERVICE_'));
  writeFileSync(config, lines.map(([name, value]) => `${name}=${value}\n`).join(''));
  mkdirSync(join(folder, 'backup'));
  copyFileSync(join(DOCS, 'clients/redoubt-verify.sh'), join(folder, 'redoubt-verify.sh'));
  writeFileSync(join(folder, 'shops.csv'), 'domains,customer\nnine.example.org,Nine\n');
  writeFileSync(join(folder, 'key.txt'), `${license.key}\n`);
  const authorization = { authorization: `Bearer ${license.key}` };
  const answer = await fetch(`${service.url}/api/v1/telemetry`, {
    method: 'POST',
    headers: authorization,
    body: JSON.stringify({
      site_url: 'shop.example.com',
      license_key: license.key,
      plugin_version: '1.0.0',
      events: [{ type: 'malware_found', severity: 'critical' }],
    }),
  });
  expect(answer.status).toBe(200);
  const sites = (await (await fetch(`${service.url}/api/v1/sites`, { headers: authorization })).json()) as {
    data: { sites: { id: string }[] };
  };
  const [executable] = await commandOf('binary');
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMPDIR: folder,
    REDOUBT: executable,
    CONFIG: config,
    URL: service.url,
    ADMIN_URL: service.adminUrl,
    KEY: license.key,
    REDOUBT_KEY: license.key,
    SERVICE: service.url,
    SITE: sites.data.sites[0]?.id ?? '',
  };
});

test.each(RUN.map((row) => [row[0], row] as const))(
  'the commands of the page %s run unchanged',
  (page, [, lines, replaced = {}]) => {
    const blocks = blocksOf(page);
    const chosen = lines.map((line) => {
      const block = blocks.find((text) => text.includes(line));
      if (block === undefined) throw new Error(`no block of ${page} has ${line}`);
      return block;
    });
    let script = chosen.join('\n');
    for (const [from, to] of Object.entries(replaced)) script = script.replaceAll(from, to);
    script = script.replaceAll('/mnt/backup/', `${join(folder, 'backup')}/`);
    const { status, stdout, stderr } = spawnSync('bash', ['-c', BEFORE + script], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  },
  60_000,
);
