import { expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceManager } from '../../src/lib/service-manager.ts';
import { until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a notification waits until systemd has read it, because one from an ended process is dropped', async () => {
  const folder = temporaryDirectory();
  const told = join(folder, 'told');
  const command = join(folder, 'systemd-notify');
  writeFileSync(command, `#!/bin/sh\necho "$@" >> ${told}\n`);
  chmodSync(command, 0o755);
  const path = process.env.PATH;
  process.env.PATH = `${folder}:${path}`;
  try {
    serviceManager({ NOTIFY_SOCKET: '/run/systemd/notify' }).ready();
    const words = await until(() => existsSync(told) && readFileSync(told, 'utf8'));
    expect(words).toBe('READY=1\n');
  } finally {
    process.env.PATH = path;
  }
});
