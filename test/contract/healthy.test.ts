import { expect, test } from 'bun:test';
import { freePort } from '../support/free-port.ts';
import { run, sharedService } from '../support/service.ts';

test('redoubt healthy reports whether the server at the configured address is ready', async () => {
  const service = await sharedService();
  const at = (port: string | number) => ({ ...service.env, SERVICE_PORT: String(port) });
  expect(await run('binary', at(new URL(service.url).port), 'healthy')).toMatchObject({
    exitCode: 0,
    stdout: 'ready\n',
    stderr: '',
  });
  expect(await run('binary', at(await freePort()), 'healthy')).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('the server does not answer. Set SERVICE_PORT'),
  });
});
