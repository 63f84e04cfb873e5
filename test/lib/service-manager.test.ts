import { expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceManager } from '../../src/lib/service-manager.ts';
import { until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a notification waits until systemd has read it, because one from an ended process is dropped', async () => {
  const folder = temporaryDirectory();
  const record = join(folder, 'told');
  const command = join(folder, 'systemd-notify');
  writeFileSync(command, `#!/bin/sh\necho "$@" >> ${record}\n`);
  chmodSync(command, 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  const untold = (reason: string) => {
    throw new Error(reason);
  };
  try {
    serviceManager({ NOTIFY_SOCKET: '/run/systemd/notify' }, untold).ready();
    const words = await until(() => existsSync(record) && readFileSync(record, 'utf8'));
    expect(words).toBe('READY=1\n');
  } finally {
    process.env.PATH = path;
  }
});

test('a notification that cannot be sent is reported', async () => {
  const folder = temporaryDirectory();
  const command = join(folder, 'systemd-notify');
  writeFileSync(command, '#!/bin/sh\nexit 3\n');
  chmodSync(command, 0o755);
  const path = process.env.PATH;
  const reasons: string[] = [];
  const manager = serviceManager({ NOTIFY_SOCKET: '/run/systemd/notify' }, (reason) => reasons.push(reason));
  try {
    process.env.PATH = folder;
    manager.ready();
    await until(() => reasons.length === 1);
    process.env.PATH = temporaryDirectory();
    manager.stopping();
    await until(() => reasons.length === 2);
  } finally {
    process.env.PATH = path;
  }
  expect(reasons).toEqual(['systemd-notify ended with 3', 'ENOENT']);
});
