import { afterAll, beforeAll, expect, test } from 'bun:test';
import { adminOf, auditOf } from '../../support/admin.ts';
import { type Browser, operatorOf, PASSWORD } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const PATH = '/console/tokens';
const TOKEN = /rdo_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}/;
const HOSTILE = `"><img src=x onerror=alert(1)>`;
const FORM = { name: 'shop', 'licenses:read': '1', 'status:read': '1', days: '90', reason: `new ${HOSTILE}` };

let service: RunningService;
let owner: Browser;
beforeAll(async () => {
  // Its own process: the page shows all tokens.
  service = await start('binary');
  owner = await operatorOf(service, 'olivia');
});
afterAll(() => service.end());

const kept = () => [
  rows(service, 'select * from admin_tokens order by id'),
  rows(service, 'select count(*) as n from audit_log'),
];
/** The token that the next page shows. */
const shownOnce = async () => TOKEN.exec((await owner.get(PATH)).text)?.[0] ?? 'none';
const statusWith = async (token: string, path = '/status') => (await adminOf(service, token)(path)).status;

test('a token is shown once, never in an address, and has its scopes until it is revoked', async () => {
  const made = await owner.post(`${PATH}/create`, FORM);
  expect([made.status, made.headers.get('location'), made.text]).toEqual([303, PATH, '']);
  const token = await shownOnce();
  expect(token).toMatch(TOKEN);
  const page = (await owner.get(PATH)).text;
  expect(page).not.toContain(token);
  expect(page).toContain(`rdo_…${token.slice(-4)}`);
  expect([await statusWith(token), await statusWith(token, '/audit')]).toEqual([200, 403]);

  const [kept] = rows(service, "select created_at, expires_at, scopes from admin_tokens where name = 'shop'");
  expect(kept?.scopes).toBe('["licenses:read","status:read"]');
  expect(Number(kept?.expires_at) - Number(kept?.created_at)).toBe(90 * 86_400_000);
  const entry = { actor: 'operator:olivia', subject: 'token:shop' };
  expect(auditOf(service, 'token.create')).toMatchObject([{ ...entry, reason: `new ${HOSTILE}` }]);

  const revoked = await owner.post(`${PATH}/revoke`, { name: 'shop', reason: 'replaced' });
  expect(revoked.status).toBe(303);
  expect(await statusWith(token)).toBe(401);
  expect((await owner.get(PATH)).text).toContain('shop no longer works.');
  expect(auditOf(service, 'token.revoke')).toMatchObject([{ ...entry, reason: 'replaced' }]);
  await owner.post(`${PATH}/revoke`, { name: 'shop' });
  expect((await owner.get(PATH)).text).toContain('nothing changed');
  expect(auditOf(service, 'token.revoke').length).toBe(1);
  const written = JSON.stringify(rows(service, 'select * from audit_log')) + service.log();
  expect(written).not.toContain(token.slice(4, 36));
});

test.each([
  ['a name with markup', { name: HOSTILE }],
  ['a name with a colon', { name: 'a:b' }],
  ['no name', { name: '' }],
  ['no expiry', { days: '' }],
  ['a period of zero', { days: '0' }],
  ['more than two years', { days: '731' }],
  ['a number in scientific notation', { days: '1e2' }],
  ['negative days', { days: '-1' }],
])('no token is created with %s, and the input is kept', async (_, wrong) => {
  const before = kept();
  const page = await owner.post(`${PATH}/create`, { ...FORM, ...wrong });
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('role="alert"')]);
  expect(page.text).toMatch(/name="licenses:read" value="1" checked/);
  expect(page.text).not.toContain('<img');
  expect(kept()).toEqual(before);
});

test.each([
  ['no scope', { name: 'shop', days: '90' }, 409],
  ['an invalid scope', { name: 'shop', days: '90', 'everything:write': '1' }, 409],
])('no token is created with %s', async (_, form, expected) => {
  const before = kept();
  expect((await owner.post(`${PATH}/create`, form as Record<string, string>)).status).toBe(expected);
  expect(kept()).toEqual(before);
});

test('no second token gets the name of an active one, and an unknown one is not revoked', async () => {
  await owner.post(`${PATH}/create`, { ...FORM, name: 'twice', days: '730' });
  const token = await shownOnce();
  const before = kept();
  const second = await owner.post(`${PATH}/create`, { ...FORM, name: 'twice' });
  expect([second.status, second.text]).toEqual([409, expect.stringContaining('token named twice exists')]);
  expect((await owner.post(`${PATH}/revoke`, { name: HOSTILE })).status).toBe(409);
  expect(kept()).toEqual(before);
  expect(await statusWith(token)).toBe(200);
});

test('both acts need the password again after half an hour, and a wrong one changes nothing', async () => {
  rows(service, 'update operator_sessions set confirmed_at = ?', Date.now() - 30 * 60_000);
  const before = rows(service, 'select * from admin_tokens');
  const late = { ...FORM, name: 'late' };
  for (const [verb, form] of [
    ['create', late],
    ['revoke', { name: 'twice' }],
  ] as const) {
    const asked = await owner.post(`${PATH}/${verb}`, form);
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('type="password"')]);
    expect(asked.text).not.toContain('<img');
    const wrong = await owner.post(`${PATH}/${verb}`, { ...form, password: 'wrong horse battery' });
    expect(wrong.status).toBe(401);
  }
  expect(rows(service, 'select * from admin_tokens')).toEqual(before);
  expect((await owner.post(`${PATH}/create`, { ...late, password: PASSWORD })).status).toBe(303);
  expect(await statusWith(await shownOnce())).toBe(200);
});

test('more than 50 tokens are listed in pages', async () => {
  rows(
    service,
    `with recursive n(i) as (select 100 union all select i + 1 from n where i < 170)
      insert into admin_tokens (name, token_hash, token_last4, scopes, created_at, expires_at)
      select 'a' || i, 'hash' || i, 'last', '[]', 1, 2 from n`,
  );
  const first = (await owner.get(PATH)).text;
  const rowsOf = (text: string) => text.match(/<th scope="row">/g)?.length;
  expect(rowsOf(first)).toBe(50);
  const next = /href="([^"]+)" rel="next"/.exec(first)?.[1] ?? '';
  const second = (await owner.get(next)).text;
  expect([next, rowsOf(second)]).toEqual([`${PATH}?after=a149`, 24]);
});
