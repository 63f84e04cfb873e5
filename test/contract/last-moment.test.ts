import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Admin, adminOf, tokenOf, whatIsKept } from '../support/admin.ts';
import { type Browser, operatorOf } from '../support/console.ts';
import { type RunningService, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const LAST = '9999-12-31T23:59:59.999Z';
/** Later than that, or without a four-digit year. */
const LATER = [
  '10000-01-01',
  '+010000-01-01T00:00:00Z',
  '+10000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:59.999-23:59',
  '99991231T235959-0001',
  '253402300800000',
  '8640000000000000',
  '-000001-12-31T23:59:59Z',
  '0000-01-01T00:00:00+00:01',
];

let service: RunningService;
let admin: Admin;
let owner: Browser;
const directory = temporaryDirectory();
// Its own process: it is compared before and after each refusal.
beforeAll(async () => {
  service = await start('binary', { SERVICE_ADMIN_RATE_PER_MINUTE: '100000' });
  admin = adminOf(service, await tokenOf(service));
  owner = await operatorOf(service, 'olivia');
  await service.issue('--plan', 'pro');
});
afterAll(() => service.end());

const command = async (...words: string[]) => {
  const { exitCode, stderr } = await run('binary', service.env, ...words);
  return { isDone: exitCode === 0, told: stderr };
};
const asked = async (path: string, body: object) => {
  const { status, json } = await admin(path, { body });
  return { isDone: status === 200, told: json.error?.message ?? '' };
};
const sent = async (path: string, form: Readonly<Record<string, string>>) => {
  const { status, text } = await owner.post(path, form);
  return { isDone: status === 303, told: text };
};
const file = (name: string, text: string) => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

type Door = (moment: string) => Promise<{ readonly isDone: boolean; readonly told: string }>;

/** Every interface that accepts the expiry of a license. */
const DOORS: Readonly<Record<string, Door>> = {
  'license issue': (at) => command('license', 'issue', '--plan', 'pro', '--expires', at),
  'license issue --trial': (at) => command('license', 'issue', '--plan', 'pro', '--trial', '--expires', at),
  'license extend': (at) => command('license', 'extend', 'lic_1', '--expires', at),
  'license change': (at) => command('license', 'change', 'lic_1', '--expires', at),
  'license import, CSV': (at) =>
    command(
      'license',
      'import',
      file('rows.csv', `plan,key,expires\npro,key-of-another-system-${at.length}-${Math.random()},${at}\n`),
    ),
  'license import, NDJSON': (at) =>
    command(
      'license',
      'import',
      file('rows.ndjson', JSON.stringify({ plan: 'pro', key: `other-system-${Math.random()}`, expires: at })),
    ),
  'POST /licenses': (at) => asked('/licenses', { plan: 'pro', expires_at: at }),
  'POST /licenses/import': (at) => asked('/licenses/import', { licenses: [{ plan: 'pro', expires: at }] }),
  'POST /licenses/{id}/change': (at) => asked('/licenses/lic_1/change', { expires_at: at }),
  'the form that issues': (at) => sent('/console/licenses/new', { plan: 'pro', expires_at: at }),
  'the form that changes': (at) =>
    sent('/console/licenses/lic_1/change', {
      plan: 'pro',
      was_plan: 'pro',
      expires_at: at,
      was_expires_at: '',
    }),
};

describe.each(Object.entries(DOORS))('%s', (_, door) => {
  test('refuses every date after the year 9999, and stores nothing', async () => {
    const before = whatIsKept(service);
    for (const at of LATER) {
      const { isDone, told } = await door(at);
      expect([at, isDone, told !== '']).toEqual([at, false, true]);
    }
    expect(whatIsKept(service)).toBe(before);
  });

  test('accepts the last moment of that year, which is shown unchanged', async () => {
    expect(await door(LAST)).toMatchObject({ isDone: true });
    const listed = JSON.parse(await service.command('license', 'list', '--json', '--limit', '1000'));
    expect(listed.at(-1).expires_at === LAST || listed[0].expires_at === LAST).toBe(true);
  });
});

test('the form that extends a license adds no days beyond that moment', async () => {
  await service.command('license', 'extend', 'lic_1', '--expires', LAST);
  const before = whatIsKept(service);
  const { isDone, told } = await sent('/console/licenses/lic_1/extend', { days: '365' });
  expect([isDone, told]).toEqual([false, expect.stringContaining(LAST)]);
  expect(whatIsKept(service)).toBe(before);
});

test('a token has no later expiry', async () => {
  for (const at of [...LATER, LAST])
    expect([
      at,
      (await command('token', 'create', 'late', '--scope', 'status:read', '--expires', at)).isDone,
    ]).toEqual([at, false]);
});

test('moments in queries are refused with the name of the parameter', async () => {
  for (const at of LATER) {
    const { status, json } = await admin(`/audit?since=${encodeURIComponent(at)}`);
    expect([at, status, json.error.code]).toEqual([at, 400, 'INVALID_QUERY']);
  }
});
