import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { prepareChanges } from '../../../src/storage/changes.ts';
import { disconnect } from '../../../src/storage/engine/database.ts';
import { Browser, operatorOf, PASSWORD } from '../../support/console.ts';
import { type RunningService, run, start } from '../../support/service.ts';
import { openStore, rows } from '../../support/store.ts';

let service: RunningService;
let owner: Browser;
beforeAll(async () => {
  // Its own process: the page shows all operators.
  service = await start('binary');
  owner = await operatorOf(service, 'olivia');
});
afterAll(() => service.end());

const operators = () => rows(service, 'select name, role, disabled_at from operators order by name');
const LINK = /\/console\/welcome\/[\w-]{43}/;

describe('an owner', () => {
  test('an invitation link, shown once, signs an operator in under his name in the audit log', async () => {
    const form = { name: 'ben', role: 'operator', reason: 'new here' };
    const answer = await owner.post('/console/operators/add', form);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/operators']);
    const [link = 'none'] = LINK.exec((await owner.get('/console/operators')).text) ?? [];
    expect((await owner.get('/console/operators')).text).not.toContain(link);
    const browser = new Browser(service);
    await browser.post(link, { password: PASSWORD, again: PASSWORD });
    expect((await browser.get('/console')).status).toBe(200);
    const [entry] = rows(
      service,
      "select * from audit_log where action = 'operator.add' and subject = 'operator:ben'",
    );
    expect(entry).toMatchObject({
      actor: 'operator:olivia',
      reason: 'new here',
      after: '{"role":"operator"}',
    });
    expect(JSON.stringify(rows(service, 'select * from audit_log'))).not.toContain(link.slice(-43));
  });

  test.each([
    ['a name with a look-alike', { name: 'оlivia', role: 'owner' }],
    ['markup', { name: '<img src=x>', role: 'owner' }],
    ['a name that is there', { name: 'olivia', role: 'owner' }],
    ['a role that is none', { name: 'frida', role: 'Owner' }],
    ['no role', { name: 'frida' }],
  ])('adds no operator by %s, and keeps what was typed', async (_, form) => {
    const before = operators();
    const page = await owner.post('/console/operators/add', form);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('role="alert"')]);
    expect(page.text).not.toContain('<img');
    expect(page.text).toContain(`value="${form.name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`);
    expect(operators()).toEqual(before);
  });

  test('cannot disable or lower the last owner who can sign in', async () => {
    for (const act of ['disable', 'role']) {
      const page = await owner.post(`/console/operators/${act}`, { name: 'olivia', role: 'viewer' });
      expect([page.status, page.text]).toEqual([409, expect.stringContaining('last owner')]);
    }
    expect((await run('binary', service.env, 'operator', 'disable', 'olivia')).exitCode).toBe(1);
    expect(operators()).toContainEqual({ name: 'olivia', role: 'owner', disabled_at: null });
  });

  test('is asked for the password again after half an hour, keeps what was begun, and a wrong one changes nothing', async () => {
    const begun = { name: 'dora', role: 'viewer', reason: 'from the "night" shift' };
    rows(service, 'update operator_sessions set confirmed_at = ?', Date.now() - 30 * 60_000);
    const asked = await owner.post('/console/operators/add', begun);
    expect([asked.status, asked.text.match(/type="hidden"/g)?.length]).toEqual([200, 3]);
    expect(asked.text).toContain('from the &quot;night&quot; shift');
    const wrong = await owner.post('/console/operators/add', { ...begun, password: 'wrong horse battery' });
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('role="alert"')]);
    expect(wrong.text).not.toContain('wrong horse');
    expect(operators()).not.toContainEqual(expect.objectContaining({ name: 'dora' }));
    const right = await owner.post('/console/operators/add', { ...begun, password: PASSWORD });
    expect([right.status, LINK.test((await owner.get('/console/operators')).text)]).toEqual([303, true]);
    expect(operators()).toContainEqual({ name: 'dora', role: 'viewer', disabled_at: null });
    expect((await owner.post('/console/operators/disable', { name: 'dora' })).status).toBe(303);
  });
});

describe('what was asked for before', () => {
  /** Sends a form of which the end comes when it is let go. */
  async function begun(browser: Browser, path: string, body: string) {
    const { hostname, port, host } = new URL(service.adminUrl);
    const socket = connect({ host: hostname, port: Number(port) });
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    const head = [
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${service.adminUrl}\r\nCookie: ${browser.cookie}`,
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
    ];
    await new Promise<void>((resolve) => socket.write(head.join('\r\n') + body.slice(0, 3), () => resolve()));
    return async () => {
      socket.write(body.slice(3));
      const status = Number((await answered).split(' ')[1]);
      socket.destroy();
      return status;
    };
  }

  test.each([
    ['disabled', ['disable']],
    ['lowered', ['role', '--role', 'viewer']],
  ])('is not done once its owner was %s', async (what, [act = '', ...words]) => {
    const name = `gone-${what}`;
    const browser = await operatorOf(service, name);
    const finish = await begun(browser, '/console/operators/add', 'name=evil&role=owner');
    await service.command('operator', act, name, ...words);
    expect(await finish()).toBeOneOf([303, 403]);
    expect(operators()).not.toContainEqual(expect.objectContaining({ name: 'evil' }));
  });

  test('is not done by a session that ends while it waits: the job beside it refuses', async () => {
    const job = { tokenHash: 'of-no-session', startedAfter: 0, now: Date.now(), roles: ['owner' as const] };
    const db = openStore(service);
    const changes = prepareChanges(db);
    const change = changes(async (run) => {
      await run({ name: 'requireSession', input: job });
      await run({ name: 'setOperatorRole', input: { id: 1, role: 'viewer' } });
    });
    await expect(change).rejects.toThrow('session has ended');
    await disconnect(db);
    expect(operators()).toContainEqual({ name: 'olivia', role: 'owner', disabled_at: null });
  });
});

test('pages of the console take nothing from the limits of tokens', async () => {
  const token = JSON.parse(
    await service.command('token', 'create', 'shop', '--scope', 'status:read', '--json'),
  ).token;
  const answer = await fetch(`${service.adminUrl}/admin/v1/status`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '300']);
});

test('the first page, with all that it asks for, is under 50 KB compressed', async () => {
  const { text } = await owner.get('/console');
  const paths = Array.from(
    text.matchAll(/(?:href|src)="(\/console\/[^"]+\.[a-z]+)"/g),
    ([, path]) => path as string,
  );
  expect(paths.length).toBe(3);
  const assets = await Promise.all(paths.map(async (path) => (await owner.get(path)).text));
  const bytes = [text, ...assets].reduce((sum, each) => sum + gzipSync(each).length, 0);
  expect(bytes).toBeLessThan(50 * 1_024);
});

test('the commands list operators, and refuse indistinguishable names', async () => {
  const listed = JSON.parse(await service.command('operator', 'list', '--json'));
  expect(listed).toContainEqual(expect.objectContaining({ name: 'olivia', role: 'owner', state: 'active' }));
  const refused = await run('binary', service.env, 'operator', 'add', 'Olivia');
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
});
