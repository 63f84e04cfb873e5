import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { auditOf, tokenOf } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import { CLIENTS, OF_PHP } from '../../support/plugin.ts';
import { binary, type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const GUIDE = readFileSync(join(CLIENTS, '../admin-api.md'), 'utf8');
const PHP = OF_PHP[0];
const DRIVER = `require $argv[1];
  [$settings, $calls] = json_decode($argv[2], true);
  $shop = new RedoubtShop(...$settings);
  foreach ($calls as $call) {
    try { $answers[] = $shop->{$call[0]}(...array_slice($call, 1)); }
    catch (RuntimeException $refused) { $answers[] = $refused->getMessage(); }
  }
  echo json_encode($answers);`;

let service: RunningService;
let token: string;
beforeAll(async () => {
  // Its own process: the guide starts with the first license of an installation.
  service = await start('binary');
  token = await tokenOf(service, ['licenses:read', 'licenses:write'], 'php');
});
afterAll(() => service.end());

const isValid = async (key: string) =>
  (await call(service.url, `${API}/license/verify`, { key, body: { domain: 'shop.com' } })).json.valid;
const licenses = () => rows(service, 'select count(*) as count from licenses')[0]?.count;

const title = PHP.isThere ? 'the shop on PHP' : `the shop on PHP (not run: needs ${PHP.needs})`;
describe.skipIf(!PHP.isThere)(title, () => {
  type Call = readonly [method: string, ...words: unknown[]];
  /** Calls of one process, with each result or exception message. */
  async function shop(calls: readonly Call[], url = service.adminUrl, by = token) {
    const input = JSON.stringify([[`${url}/`, by], calls]);
    const file = join(CLIENTS, 'redoubt-shop.php');
    const { stdout, stderr } = await promisify(execFile)('php', ['-r', DRIVER, '--', file, input]);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  }
  const ORDER = ['issue', 'wc-1', 'pro', 'Ann', 'ann@example.com', '2099-01-31'] as const;

  test('an order has one license, with any repetitions and later changes', async () => {
    const before = Number(licenses());
    const [first] = await shop([ORDER]);
    expect([first.id, await isValid(first.key)]).toEqual([expect.stringMatching(/^lic_\d+$/), true]);
    const nextDay = ['issue', 'wc-1', 'pro', 'Ann', 'ann@example.com', '2099-02-01'];
    const known = { id: first.id, key: null };
    expect(await shop([ORDER, nextDay as unknown as Call])).toEqual([known, known]);
    rows(service, 'delete from admin_requests');
    expect(await shop([ORDER])).toEqual([known]);
    expect(Number(licenses()) - before).toBe(1);
  });

  test('a life: found, extended, disputed, won, given another key, refunded', async () => {
    const order = ['issue', 'wc-2', 'pro', 'Zoë', 'zoe@example.com'] as const;
    const [{ id, key }] = await shop([order]);
    const answers = await shop([
      ['find', 'wc-2'],
      ['find', 'wc'],
      ['extend', id, '2099-12-31', 'renewal-1'],
      ['suspend', id, 'case-1'],
      ['suspend', id, 'case-1'],
      ['resume', id, 'case-1'],
      ['rotate', id],
      ['revoke', id, 'refund-1'],
      ['extend', id, '2099-12-31', 'renewal-2'],
    ]);
    const [found, none, extended, held, heldAgain, resumed, newKey, revoked, refused] = answers;
    expect(found).toMatchObject({ license_id: id, customer: 'Zoë' });
    expect(none).toBeNull();
    expect(extended.expires_at).toBe('2099-12-31T00:00:00.000Z');
    const statuses = [held, heldAgain, resumed, revoked].map(({ status }) => status);
    expect(statuses).toEqual(['suspended', 'suspended', 'active', 'revoked']);
    expect(newKey).not.toBe(key);
    expect(refused).toBe(`Redoubt: ACT_REFUSED ${id} is revoked, which is permanent.`);
    const entries = auditOf(service, 'license.suspend').filter(({ subject }) => subject === id);
    expect(entries).toMatchObject([{ actor: 'token:php', reason: 'case-1' }]);
  });

  test('an unavailable service and an invalid token are exceptions with a code', async () => {
    const [refused] = await shop([ORDER], service.adminUrl, 'rdo_wrong');
    expect(refused).toStartWith('Redoubt: UNAUTHORIZED');
    expect((await shop([ORDER], 'http://127.0.0.1:1'))[0]).toStartWith('Redoubt: UNREACHABLE');
  });
});

test('the guide works line by line', async () => {
  const own = await start('binary');
  const [create = '', first = '', later = ''] = [...GUIDE.matchAll(/```sh\n(.*?)```/gs)].map(
    ([, text]) => text,
  );
  // A revoked license allows no further acts.
  const isLast = (line: string) => /\/(revoke|forget) /.test(line);
  const lines = later.split('\n').filter((line) => line.startsWith('call '));
  expect([lines.length, lines.filter(isLast).length]).toEqual([8, 2]);
  const script = [
    create.replace('| jq -r .token', '| grep -o "rdo_[0-9A-Za-z_]*"'),
    first
      .replace(/^API=.*\/admin\/v1$/m, `API=${own.adminUrl}/admin/v1`)
      .replace(/(?<=@:2\}"); \}/, '; echo; }'),
    ...lines.filter((line) => !isLast(line)),
    ...lines.filter(isLast),
  ];
  const env = { ...own.env, PATH: `${dirname(await binary())}:${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-ec', script.join('\n')], { env });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect([stderr, answers.length, answers.filter(({ success }) => !success)]).toEqual(['', 9, []]);
  expect(answers[0].data.license).toMatchObject({ license_id: 'lic_1', external_id: 'order-1042' });
  await own.end();
});
