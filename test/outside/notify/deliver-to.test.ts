import { afterEach, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createTransports, type DeliveryTarget } from '../../../src/outside/notify/deliver-to.ts';
import { fakeSite, wire } from '../../support/fake-site.ts';
import { CA, certificateFor, HOST, messageOf, networkTo, PRIVATE } from '../../support/receivers.ts';
import { until } from '../../support/service.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

const { privateKey } = generateKeyPairSync('ed25519');
const target = (more: Partial<DeliveryTarget>): DeliveryTarget => ({
  kind: 'webhook',
  address: `https://${HOST}/in`,
  format: 'standard',
  ca: CA,
  secrets: [`whsec_${'A'.repeat(43)}=`],
  licenseId: null,
  ...more,
});

interface Network {
  readonly addresses?: readonly (readonly string[])[];
  readonly allowPrivateOf?: (target: DeliveryTarget) => boolean;
}

/** Sends to a receiver at HOST, and counts how often its key was searched. */
function transportsTo(port: number, { addresses, allowPrivateOf = () => false }: Network = {}) {
  let looks = 0;
  const transports = createTransports<DeliveryTarget>({
    network: networkTo(port, addresses),
    allowPrivateOf,
    version: '1',
    now: Date.now,
    server: undefined,
    async signer() {
      looks += 1;
      return { privateKey };
    },
  });
  open.push(transports);
  return { ...transports, looks: () => looks };
}

test('a webhook is signed by a key that is loaded once', async () => {
  const site = await fakeSite(() => wire(200), certificateFor());
  open.push(site);
  const { deliverTo, looks } = transportsTo(site.port);
  for (let sent = 0; sent < 3; sent++)
    expect(await deliverTo(target({}))(messageOf())).toMatchObject({ outcome: 'delivered' });
  expect([site.paths(), looks()]).toEqual([['/in', '/in', '/in'], 1]);
  expect(site.heads.every((head) => /webhook-signature: v1,\S+ v1a,\S+\r\n/.test(head))).toBe(true);
  await deliverTo(target({ format: 'slack' }))(messageOf());
  expect(site.heads.at(-1)).toContain('"blocks"');
});

test('syslog goes to the host and port, or to the socket, in the address', async () => {
  const texts: string[] = [];
  const site = await fakeSite((_path, _socket, head) => void texts.push(head), certificateFor());
  const path = join(temporaryDirectory(), 'a socket');
  const server = createServer((socket) => socket.on('data', (bytes) => texts.push(String(bytes))));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  open.push(site, server);
  const { deliverTo } = transportsTo(site.port);
  for (const address of [
    `syslog+tls://${HOST.toUpperCase()}:6514`,
    `syslog+tls://${HOST}`,
    `syslog+unix://${encodeURI(path)}`,
  ]) {
    const found = await deliverTo(target({ kind: 'syslog', address, format: 'cef', secrets: [] }))(
      messageOf(),
    );
    expect(found).toMatchObject({ outcome: 'delivered' });
  }
  await until(() => texts.length === 2 || texts.length === 3);
  expect(texts.every((text) => text.includes('CEF:0|Redoubt|Redoubt|1|alert.opened|'))).toBe(true);
});

test('mail requires a server in the settings', async () => {
  const found = await transportsTo(1).deliverTo(target({ kind: 'mail', address: 'mailto:ops@example.com' }))(
    messageOf(),
  );
  expect(found).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('SERVICE_SMTP_HOST') });
});

test('a tenant reaches no private network, not even by a connection that a target of operators has opened', async () => {
  const site = await fakeSite(() => wire(200), certificateFor());
  open.push(site);
  const { deliverTo } = transportsTo(site.port, {
    addresses: [[PRIVATE]],
    allowPrivateOf: ({ licenseId }) => licenseId === null,
  });
  for (let sent = 0; sent < 2; sent++) {
    expect(await deliverTo(target({}))(messageOf())).toMatchObject({ outcome: 'delivered' });
    expect(await deliverTo(target({ licenseId: 7 }))(messageOf())).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(/private network\. Use another one\.$/),
    });
  }
  expect(site.paths()).toEqual(['/in', '/in']);
  const http = await deliverTo(target({ address: `http://${HOST}/in`, licenseId: 7 }))(messageOf());
  expect(http).toMatchObject({ outcome: 'refused', reason: 'The address is not encrypted. Use https.' });
});

test('a webhook whose secret another installation key encrypted is not sent unsigned, and says what to do', async () => {
  const site = await fakeSite(() => wire(200), certificateFor());
  open.push(site);
  const { deliverTo } = transportsTo(site.port);
  for (const licenseId of [null, 7])
    expect(await deliverTo(target({ secrets: [], licenseId }))(messageOf())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('Rotate it'),
    });
  expect(site.paths()).toEqual([]);
  // Chats have no use for a signature.
  expect(await deliverTo(target({ secrets: [], format: 'slack' }))(messageOf())).toMatchObject({
    outcome: 'delivered',
  });
});
