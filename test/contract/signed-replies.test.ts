import { beforeAll, describe, expect, test } from 'bun:test';
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PublishedKey } from '../../src/domain/signing/published-keys.ts';
import { API, call, type Reply } from '../support/client.ts';
import { CLIENTS } from '../support/plugin.ts';
import { type RunningService, sharedService, start, TARGETS } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { VECTORS } from '../support/vectors.ts';
import { keptVectors, VERIFIERS } from '../support/verifiers.ts';

const VERIFY = `${API}/license/verify`;
const BASE_URL = 'https://redoubt.example';
const NONCE = 'q83vEjRWeJCrze8SNFZ4kA==';
const SIGNED = ['content-digest', 'signature-input', 'signature'];

const asking = (nonce = NONCE) => ({ 'accept-signature': `sig=();nonce="${nonce}"` });
const signedHeaders = ({ headers }: Reply) =>
  Object.fromEntries(SIGNED.map((name) => [name, headers.get(name) ?? '']));
const now = () => Math.floor(Date.now() / 1_000);
const keysOf = async ({ url }: RunningService): Promise<PublishedKey[]> =>
  (await call(url, '/.well-known/redoubt-keys')).json.keys;

test('the service produces the vectors in the handbook', () => {
  expect(keptVectors()).toEqual(JSON.parse(JSON.stringify(VECTORS)));
});

for (const { name, isThere, needs, ask } of VERIFIERS) {
  const title = isThere ? name : `${name} (not run: needs ${needs})`;
  test.skipIf(!isThere)(`the verifier in ${title} gives the expected result for every vector`, () => {
    const all = [...VECTORS.replies, ...VECTORS.files];
    const found = ask(VECTORS);
    expect(all.map(({ name }, at) => [name, found[at]])).toEqual(all.map(({ name, holds }) => [name, holds]));
  });
}

describe.each([...TARGETS])('%s', (target) => {
  let service: RunningService;
  let key: string;
  let license: string;
  beforeAll(async () => {
    service = await sharedService(target, 'issuer');
    ({ key, license_id: license } = await service.issue('--plan', 'pro', '--domain', 'shop.com'));
  });
  const ask = (headers: Record<string, string>, body: unknown = { domain: 'shop.com' }, bearer = key) =>
    call(service.url, VERIFY, { key: bearer, headers, body });

  test('requested signatures cover answers and refusals, and every verifier accepts them and refuses a replay', async () => {
    const replies = [
      await ask(asking()),
      await ask(asking(), { domain: 'shop.com' }, 'rdt_live_unknown'),
      await ask(asking(), '{'),
      await call(service.url, VERIFY, { headers: asking(), body: {} }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400, 400]);
    const shown = replies.map((reply) => ({
      name: '',
      status: reply.status,
      headers: signedHeaders(reply),
      body: reply.text,
      url: BASE_URL + VERIFY,
      nonce: NONCE,
      now: now(),
    }));
    const [first] = shown as [(typeof shown)[number]];
    const { stdout } = { stdout: await service.command('license', 'export', license) };
    const cases = {
      keys: await keysOf(service),
      replies: [...shown, { ...first, nonce: `${NONCE}x` }],
      files: [{ name: '', text: stdout, now: now() }],
    };
    for (const verifier of VERIFIERS.filter(({ isThere }) => isThere))
      expect([verifier.name, verifier.ask(cases)]).toEqual([
        verifier.name,
        [true, true, true, true, false, true],
      ]);
  });

  test('an answer without a requested signature is unchanged in every byte and has no signature header', async () => {
    const [plain, signed] = [await ask({}), await ask(asking())];
    expect([plain.text, plain.status]).toEqual([signed.text, signed.status]);
    const names = ({ headers }: Reply, without: readonly string[]) =>
      [...headers.keys()].filter((name) => !without.includes(name)).sort();
    expect(names(plain, ['date', 'content-length'])).toEqual(
      names(signed, [...SIGNED, 'date', 'content-length']),
    );
    for (const name of SIGNED)
      expect([plain.headers.has(name), signed.headers.has(name)]).toEqual([false, true]);
  });

  test.each([
    ['no nonce', 'sig=();created'],
    ['an empty nonce', 'sig=();nonce=""'],
    ['a nonce that is not a string', 'sig=();nonce=abc'],
    ['two nonces', 'sig=();nonce="a";nonce="b"'],
    ['bad characters in the nonce', 'sig=();nonce="a b\\"c"'],
    ['a long nonce', `sig=();nonce="${'a'.repeat(129)}"`],
    ['16 KiB', `sig=();nonce="${'a'.repeat(16_384)}"`],
    ['16 KiB of parameters', `sig=()${';a'.repeat(8_192)};nonce="a"`],
    ['two signatures', 'a=();nonce="a", b=();nonce="b"'],
    ['another algorithm', 'sig=();nonce="a";alg="rsa-pss-sha512"'],
    ['a tag', 'sig=();nonce="a";tag="x"'],
    ['an endless list', 'sig=(;nonce="a"'],
    ['nothing', ''],
  ])('a header with %s is answered unsigned, and none of it is repeated', async (_, header) => {
    const reply = await ask({ 'accept-signature': header });
    expect([reply.status, reply.headers.has('signature')]).toEqual([200, false]);
    expect(JSON.stringify([...reply.headers])).not.toContain('nonce');
  });

  test('only license/verify is signed', async () => {
    const { headers } = await call(service.url, `${API}/status`, { headers: asking() });
    expect(headers.has('signature')).toBe(false);
  });

  test('the covered components are written as RFC 9421 requires, for any list, under the given label', async () => {
    const wanted =
      'mine=("@status" "content-digest" "@method";req "@target-uri";req);created;nonce="n-1";keyid="x";alg="ed25519"';
    const { headers } = await ask({ 'accept-signature': wanted });
    const covered = String.raw`^mine=\("@status" "content-digest" "@method";req "@target-uri";req\)`;
    const kid = (await keysOf(service)).find(({ purpose }) => purpose === 'reply')?.kid;
    expect(headers.get('signature-input')).toMatch(
      new RegExp(`${covered};created=\\d{10};nonce="n-1";keyid="${kid}";alg="ed25519"$`),
    );
    expect(headers.get('signature')).toMatch(/^mine=:[A-Za-z0-9+/]{86}==:$/);
  });

  test('a revoked key signs nothing from the next answer on', async () => {
    const before = (await keysOf(service)).find(({ purpose }) => purpose === 'reply')?.kid ?? '';
    await service.command('keys', 'revoke', 'reply', before, '--reason', 'stolen', '--yes');
    const input = (await ask(asking())).headers.get('signature-input');
    const active = (await keysOf(service)).find(
      ({ purpose, state }) => purpose === 'reply' && state === 'active',
    );
    expect(input).not.toContain(before);
    expect(input).toContain(`keyid="${active?.kid}"`);
  });
});

test('a request refused by the limit gets no signature', async () => {
  // Its own process: its signing key is damaged, and limits are tested.
  const service = await start('binary', { SERVICE_RATE_IP_PER_MINUTE: '1' });
  try {
    const ask = () => call(service.url, VERIFY, { headers: asking(), body: {}, key: 'x' });
    const [first, second] = [await ask(), await ask()];
    expect([first, second].map(({ status, headers }) => [status, headers.has('signature')])).toEqual([
      [200, true],
      [429, false],
    ]);
  } finally {
    await service.end();
  }
});

test('without a public address the path is covered instead of the address', async () => {
  const service = await sharedService();
  const { headers } = await call(service.url, VERIFY, { headers: asking(), body: {}, key: 'x' });
  expect(headers.get('signature-input')).toStartWith(
    'sig=("@status" "content-digest" "@method";req "@path";req);',
  );
});

/** The functions of WordPress that the guide uses, which call this service for any host. */
const WORDPRESS = `
  function wp_remote_post($url, $options) {
    foreach ($options['headers'] as $name => $value) $head[] = "$name: $value";
    $http = ['method' => 'POST', 'header' => $head, 'content' => $options['body'], 'ignore_errors' => true];
    $body = file_get_contents($GLOBALS['argv'][1] . parse_url($url, PHP_URL_PATH), false, stream_context_create(['http' => $http]));
    return [$body, $http_response_header];
  }
  function is_wp_error() { return false; }
  function wp_remote_retrieve_body($answer) { return $answer[0]; }
  function wp_remote_retrieve_response_code($answer) { return (int) explode(' ', $answer[1][0])[1]; }
  class Headers {
    function __construct(private $lines) {}
    function getAll() {
      foreach (array_slice($this->lines, 1) as $line) $all[strtolower(strstr($line, ':', true))] = trim(substr(strstr($line, ':'), 1));
      return $all;
    }
  }
  function wp_remote_retrieve_headers($answer) { return new Headers($answer[1]); }
  $key = $argv[2];`;

const [php] = VERIFIERS;
test.skipIf(!php?.isThere).each([
  ['with the public address set, an answer', 'https://licenses.example.com', true],
  ['without one, as installed, none', '', false],
])("the guide's PHP code accepts, %s", async (_, address, isTaken) => {
  const service = await start('binary', address === '' ? {} : { SERVICE_BASE_URL: address });
  try {
    const { key } = await service.issue('--plan', 'pro', '--test');
    const plugin = temporaryDirectory();
    copyFileSync(join(CLIENTS, 'redoubt-verify.php'), join(plugin, 'redoubt-verify.php'));
    writeFileSync(join(plugin, 'redoubt-keys'), (await call(service.url, '/.well-known/redoubt-keys')).text);
    const guide = readFileSync(join(CLIENTS, '../clients.md'), 'utf8');
    const [, shown] = /### Signed answers\n.*?```php\n(.*?)```/s.exec(guide) ?? [];
    writeFileSync(
      join(plugin, 'plugin.php'),
      `<?php ${WORDPRESS}\n${shown}\necho json_encode([$status, $isAnswer]);`,
    );
    const { stdout } = await promisify(execFile)('php', [join(plugin, 'plugin.php'), service.url, key]);
    expect(JSON.parse(stdout)).toEqual([200, isTaken]);
  } finally {
    await service.end();
  }
});

test('without the private key an answer is sent unsigned and never fails', async () => {
  const service = await start('binary');
  try {
    const directory = join(service.env.SERVICE_KEYS_DIR ?? service.env.SERVICE_DATA_DIR ?? '', 'signing');
    await service.command('keys', 'rotate', 'reply', '--now');
    const kid = (await keysOf(service)).find(
      ({ purpose, state }) => purpose === 'reply' && state === 'active',
    )?.kid;
    writeFileSync(join(directory, `reply-${kid}.pem`), 'damaged');
    const reply = await call(service.url, VERIFY, { headers: asking(), body: {}, key: 'x' });
    expect([reply.status, reply.headers.has('signature')]).toEqual([200, false]);
    expect(service.log()).toContain('this node cannot use a key that signs replies');
    const { warnings } = (await call(service.url, '/readyz')).json;
    expect(warnings).toContain('no key can sign replies. The log has the reason');
  } finally {
    await service.end();
  }
});
