import { test } from 'bun:test';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openControl } from '../../src/operator/control.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a peer that sends an endless line is disconnected', async () => {
  const path = join(temporaryDirectory(), 'control');
  const control = await openControl(
    path,
    { reload: async () => ({ reloaded: true, needRestart: [] }), settings: () => ({}) },
    200,
  );
  const socket = connect(path).on('error', () => {});
  await once(socket, 'connect');
  const drip = setInterval(() => socket.write('x'), 20);
  // A failing write is how the peer notices.
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
  control.close();
});
