import { afterAll, beforeAll, expect, test } from 'bun:test';
import { inviteOperator, operatorOf, PASSWORD } from '../../support/console.ts';
import { type FakeProvider, startFakeProvider } from '../../support/oidc/fake-provider.ts';
import { consoleSettings, newBrowser, signInAs } from '../../support/oidc/sign-in.ts';
import { type Env, type RunningService, run, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

let service: RunningService;
let fake: FakeProvider;
let settings: Env;
beforeAll(async () => {
  fake = await startFakeProvider();
  settings = { ...(await consoleSettings()).settings, ...fake.settings };
  // Its own process: passwords are turned off.
  service = await start('binary', { ...settings, SERVICE_OIDC_ONLY: '1' });
});
afterAll(async () => {
  await service?.end();
  await fake?.end();
});
const sessions = () => rows(service, 'select count(*) as n from operator_sessions')[0]?.n;

test('the sign-in page has no form, and no password lets in', async () => {
  const { text } = await newBrowser(service).get('/console/sign-in');
  expect([text.includes('Sign in with Example ID'), text.includes('type="password"')]).toEqual([true, false]);
  await operatorOf(service, 'olivia');
  const before = sessions();
  const browser = newBrowser(service);
  const refused = await browser.signIn('olivia');
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Passwords are turned off')]);
  expect([sessions(), browser.cookie]).toEqual([before, undefined]);
});

test('an owner signs in by a link of the command line, acts, and gives the password again for it', async () => {
  const owner = await operatorOf(service, 'rescue');
  expect((await owner.get('/console/operators')).status).toBe(200);
  rows(service, 'update operator_sessions set confirmed_at = 0');
  const form = { name: 'shop', 'status:read': '1', days: '30' };
  expect((await owner.post('/console/tokens/create', form)).text).toContain('type="password"');
  expect((await owner.post('/console/tokens/create', { ...form, password: PASSWORD })).status).toBe(303);
});

test.each(['viewer', 'support', 'operator'])(
  'a link of a %s is refused, and sets no password',
  async (role) => {
    const link = await inviteOperator(service, `local-${role}`, role);
    const browser = newBrowser(service);
    for (const page of [
      await browser.get(link),
      await browser.post(link, { password: PASSWORD, again: PASSWORD }),
    ])
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('Passwords are turned off')]);
    const [operator] = rows(service, 'select password_hash from operators where name = ?', `local-${role}`);
    expect([operator, browser.cookie]).toEqual([{ password_hash: null }, undefined]);
  },
);

test('an owner of the provider creates no operator with a password', async () => {
  const browser = newBrowser(service);
  await signInAs(browser, fake);
  const { text } = await browser.get('/console/operators');
  expect([text.includes('operators/add'), text.includes('operators/link')]).toEqual([false, false]);
  const before = rows(service, 'select name, link_hash from operators order by id');
  for (const act of ['add', 'link'])
    expect((await browser.post(`/console/operators/${act}`, { name: 'olivia', role: 'owner' })).status).toBe(
      404,
    );
  expect(rows(service, 'select name, link_hash from operators order by id')).toEqual(before);
});

test('a reload turns passwords off for those who are signed in, and on again', async () => {
  const { settings: own } = await consoleSettings();
  const path = `${service.env.SERVICE_DATA_DIR}/oidc.env`;
  const write = (only: '0' | '1') => Bun.write(path, `SERVICE_OIDC_ONLY=${only}\n`);
  await write('0');
  const other = await start('binary', { ...own, ...fake.settings, SERVICE_CONFIG: path });
  const [viewer, owner] = [await operatorOf(other, 'vera', 'viewer'), await operatorOf(other, 'olga')];
  const reload = () => other.command('reload');
  await write('1');
  await reload();
  expect((await viewer.get('/console')).headers.get('location')).toBe('/console/sign-in');
  expect((await owner.get('/console')).status).toBe(200);
  await write('0');
  await reload();
  expect((await viewer.get('/console')).status).toBe(200);
  await other.end();
});

test('a start without an issuer is refused, because it would lock every operator out', async () => {
  const env = { SERVICE_DATA_DIR: service.env.SERVICE_DATA_DIR ?? '', SERVICE_OIDC_ONLY: '1' };
  const { exitCode, stderr } = await run('binary', env, 'serve');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('SERVICE_OIDC_ONLY requires SERVICE_OIDC_ISSUER'),
  ]);
});
