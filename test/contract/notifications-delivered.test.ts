import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createPublicKey, randomInt, verify } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { disconnect } from '../../src/storage/engine/database.ts';
import { API, call, expectHeaders } from '../support/client.ts';
import { addEvents } from '../support/notifications.ts';
import { BAD_PATHS, HOST, privateReceivers } from '../support/private-receivers.ts';
import { CA } from '../support/receivers.ts';
import { type RunningService, run, SURE, start, UNLIMITED, until } from '../support/service.ts';
import { openStore, rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const EVENTS = 250;

describe.skipIf(HOST === undefined)(
  `notifications of the executable${HOST === undefined ? ' (skipped: this host has no private address)' : ''}`,
  () => {
    let receivers: Awaited<ReturnType<typeof privateReceivers>>;
    let hooks: (typeof receivers)['hooks'];
    let mails: (typeof receivers)['mails'];
    let ca: string;
    let service: RunningService;
    beforeAll(async () => {
      receivers = await privateReceivers();
      ({ hooks, mails } = receivers);
      ca = join(temporaryDirectory(), 'ca.pem');
      writeFileSync(ca, CA);
      // Its own process: it is killed, and reaches private addresses.
      service = await start('binary', {
        ...UNLIMITED,
        SERVICE_BASE_URL: 'https://redoubt.example',
        SERVICE_NOTIFY_ALLOW_PRIVATE: '1',
        SERVICE_SMTP_HOST: 'localhost',
        SERVICE_SMTP_PORT: String(receivers.ports.mail),
        SERVICE_SMTP_TLS: 'starttls',
        SERVICE_SMTP_CA: ca,
        SERVICE_SMTP_FROM: 'Example Alerts <alerts@example.com>',
      });
    });
    afterAll(async () => {
      await service.end();
      receivers.close();
    });

    const notify = (...words: string[]) => service.command('notify', ...words);
    const waitingFor = (name: string): number =>
      Number(
        rows(
          service,
          'select waiting from target_states join targets on id = target_id where name = ?',
          name,
        )[0]?.waiting,
      );

    test('reach a webhook that standardwebhooks verifies, a mailbox and a syslog server over TLS', async () => {
      const added = JSON.parse(
        await notify('add', 'hook', `https://${HOST}:${receivers.ports.hook}/in`, '--ca', ca, '--json'),
      );
      await notify('add', 'box', 'mailto:ops@example.com', '--digest', '0m', '--event', 'license.issued');
      await notify(
        'add',
        'siem',
        `syslog+tls://${HOST}:${receivers.ports.syslog}`,
        '--ca',
        ca,
        '--event',
        'audit',
      );
      for (const name of ['hook', 'box', 'siem'])
        expect(await notify('test', name)).toStartWith('Delivered in ');
      const tested = hooks.length;

      const { license_id: license } = await service.issue('--plan', 'pro');
      const hook = await until(() => hooks[tested]);
      const verified = new Webhook(added.secret).verify(hook.body, hook.headers);
      expect(verified).toMatchObject({ type: 'license.issued', data: { license } });
      const {
        'webhook-id': id,
        'webhook-timestamp': at,
        'webhook-signature': signatures = '',
      } = hook.headers;
      const { json } = await call(service.url, '/.well-known/redoubt-keys');
      const jwk = json.keys.find(({ purpose }: { purpose: string }) => purpose === 'webhook');
      const signature = Buffer.from(/v1a,(\S+)/.exec(signatures)?.[1] ?? '', 'base64');
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      expect(verify(null, Buffer.from(`${id}.${at}.${hook.body}`), key, signature)).toBe(true);
      const mail = await until(() => mails.find((each) => each.includes(`License ${license} issued`)));
      expect(mail).toContain('To: ops@example.com');
      const line = await until(() => receivers.lines.find((each) => each.includes(' license.issue lic_')));
      expect(line).toMatch(/^<110>1 \S+ \S+ redoubt \d+ audit \[redoubt@32473 id="evt_/);
      await until(() => ['hook', 'box', 'siem'].every((name) => waitingFor(name) === 0));
    }, 60_000);

    test('stop for a recipient of mail after one click on the link in each, without a session, and not when it is only opened', async () => {
      const [mail = ''] = mails;
      expect(mail).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
      const link = /^List-Unsubscribe: <([^>]+)>\r$/m.exec(mail.replace(/\r\n[ \t]+/g, ' '))?.[1] ?? '';
      expect(link).toStartWith('https://redoubt.example/unsubscribe/tgt_');
      const { pathname } = new URL(link);
      const [, , id = '', token = ''] = pathname.split('/');
      const ask = async (path: string, body?: string | FormData) => {
        const answer = await fetch(service.url + path, {
          ...(body === undefined
            ? {}
            : { method: 'POST', body, headers: { origin: 'https://mail.example' } }),
          redirect: 'manual',
        });
        expectHeaders(answer.headers);
        return { status: answer.status, text: await answer.text() };
      };
      const stateOf = async () => JSON.parse(await notify('show', 'box', '--json')).paused_reason;
      const oneClick = new FormData();
      oneClick.set('List-Unsubscribe', 'One-Click');

      for (const path of [`/unsubscribe/${id}/${token.slice(0, -2)}zz`, `/unsubscribe/tgt_zz/${token}`])
        for (const body of [undefined, oneClick])
          expect(await ask(path, body)).toMatchObject({
            status: 404,
            text: expect.not.stringContaining('zz'),
          });
      expect((await ask(pathname)).text).toContain(
        '<form method="post"><button type="submit">Stop these mails',
      );
      expect(await stateOf()).toBeNull();

      await notify('pause', 'box');
      const done = { status: 200, text: expect.stringContaining('You no longer receive these mails') };
      expect(await ask(pathname, oneClick)).toEqual(done);
      expect(await stateOf()).toBe('recipient');
      expect(
        await ask(pathname, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }).toString()),
      ).toEqual(done);
      expect(await ask(pathname)).toEqual(done);
      for (const verb of ['resume', 'test'])
        await expect(notify(verb, 'box', '--json')).rejects.toThrow('The recipient of box unsubscribed');
      expect(await stateOf()).toBe('recipient');
      const entries = rows(
        service,
        "select actor, subject from audit_log where action = 'notification.unsubscribe'",
      );
      expect(entries).toEqual([{ actor: 'system', subject: 'target:box' }]);
      const received = mails.length;
      await service.issue('--plan', 'pro');
      await until(() => waitingFor('box') === 1);
      await notify('remove', 'box', ...SURE);
      expect(await ask(pathname, oneClick)).toEqual(done);
      expect(mails).toHaveLength(received);
    }, 60_000);

    test.each([
      'https://127.0.0.1',
      'https://[::1]',
      'https://localhost',
      'https://169.254.169.254',
      'syslog+tls://127.0.0.1',
    ])('are refused to %s although private networks are allowed', async (address) => {
      await until(() => waitingFor('hook') === 0);
      const received = hooks.length;
      const words = ['--ca', ca];
      const added = await run('binary', service.env, 'notify', 'add', 'refused', address, ...words);
      expect([added.exitCode, added.stderr]).toEqual([1, expect.stringContaining('leads to this host')]);
      // As a name that leads there later.
      const elsewhere = address.replace(/(?<=:\/\/).*/, 'receiver.example');
      await notify('add', 'refused', elsewhere, ...words);
      const place = `${address}:${receivers.ports.hook}`;
      rows(service, "update targets set address = ? where name = 'refused'", place);
      const { exitCode, stdout } = await run('binary', service.env, 'notify', 'test', 'refused');
      expect([exitCode, stdout]).toEqual([3, expect.stringContaining('The address leads to this host')]);
      await notify('remove', 'refused', ...SURE);
      expect(hooks).toHaveLength(received);
    });

    test('of tenants reach no private network where only operators may, and say so in words for tenants', async () => {
      const { key, license_id: license } = await service.issue('--plan', 'pro');
      await until(() => hooks.some(({ body }) => body.includes(license)));
      const received = hooks.length;
      const path = `${API}/notifications`;
      const add = (address: string) => call(service.url, path, { key, body: { name: 'ops', address } });
      const place = `${HOST}:${receivers.ports.hook}/`;
      for (const address of [`https://${place}`, `http://${place}`]) {
        const { status, json } = await add(address);
        expect([status, json.error.code]).toEqual([409, 'TARGET_REFUSED']);
        expect(json.error.message).not.toContain('SERVICE_');
      }
      const { id } = (await add('https://receiver.example')).json.data.target;
      rows(service, 'update targets set address = ?, ca = ? where public_id = ?', `https://${place}`, CA, id);
      const tested = await call(service.url, `${path}/${id}`, { key, body: { action: 'test' } });
      expect(tested.json.data.test).toMatchObject({
        delivered: false,
        message: expect.stringMatching(/to a private network\. Use another one\.$/),
      });
      await call(service.url, `${path}/${id}`, { key, body: { action: 'remove' } });
      expect(hooks).toHaveLength(received);
    });

    test('to receivers that hang, drip, send garbage, fail or redirect to a metadata address delay no request', async () => {
      for (const name of BAD_PATHS)
        await notify(
          'add',
          name,
          `https://${HOST}:${receivers.ports.bad}/${name}`,
          '--ca',
          ca,
          '--event',
          'license.issued',
        );
      const { key } = await service.issue('--plan', 'pro', '--domain', 'example.com');
      const slowestMs: number[] = [];
      await until(async () => {
        const askedAt = performance.now();
        const { status } = await call(service.url, `${API}/license/verify`, {
          key,
          body: { domain: 'example.com' },
        });
        expect(status).toBe(200);
        slowestMs.push(performance.now() - askedAt);
        const failed = rows(
          service,
          'select name from targets join target_states on id = target_id where failed_at is not null',
        );
        return failed.length === BAD_PATHS.length;
      }, 30_000);
      expect(Math.max(...slowestMs)).toBeLessThan(5_000);
      const states = JSON.parse(await notify('list', '--json')) as {
        name: string;
        last_error: string;
        waiting: number;
      }[];
      const errors = Object.fromEntries(states.map(({ name, last_error }) => [name, last_error]));
      expect(errors).toMatchObject({
        hang: expect.stringContaining('did not respond in time'),
        drip: expect.stringContaining('did not respond in time'),
        garbage: expect.stringContaining('not a valid response'),
        endless: expect.stringContaining('not a valid response'),
        failing: 'The receiver reports an error. Check its log (500).',
        redirect: expect.stringContaining('never followed'),
      });
      expect(service.log()).not.toContain('"level":"error"');
      for (const name of BAD_PATHS) await notify('remove', name, ...SURE);
    }, 60_000);

    test('lose no event to SIGKILL at any point, and send none more than twice', async () => {
      await notify('remove', 'hook', ...SURE);
      await notify(
        'add',
        'audited',
        `https://${HOST}:${receivers.ports.hook}/`,
        '--ca',
        ca,
        '--event',
        'audit',
      );
      await until(() => waitingFor('siem') + waitingFor('audited') === 0);
      for (const when of ['before the answer', 'after it', 'at any time'] as const) {
        hooks.length = 0;
        const [at, delayMs] = [randomInt(1, EVENTS), randomInt(0, 60)];
        receivers.before.answer = () => {
          if (hooks.length !== at) return;
          if (when === 'before the answer') service.process.kill('SIGKILL');
          else setTimeout(() => service.process.kill('SIGKILL'), when === 'after it' ? 2 : delayMs);
        };
        const killed = once(service.process, 'exit');
        const db = openStore(service);
        await addEvents(db, { count: EVENTS, severity: 'info', now: Date.now() });
        await disconnect(db);
        await killed;
        receivers.before.answer = () => {};
        service = await start('binary', service.env);
        await until(() => waitingFor('audited') === 0, 30_000);
        const times = Map.groupBy(hooks, ({ headers }) => headers['webhook-id'] ?? '');
        const facts = `${when}, event ${at}, ${delayMs} ms`;
        expect([facts, times.size]).toEqual([facts, EVENTS]);
        expect([facts, Math.max(...[...times.values()].map(({ length }) => length))].toString()).toMatch(
          /,[12]$/,
        );
      }
    }, 120_000);
  },
);
