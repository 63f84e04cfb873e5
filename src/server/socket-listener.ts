import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { whyReplaceable } from '../lib/guarded-path.ts';
import { isAnsweredAt } from '../lib/socket-answer.ts';
import type { Listener, ListenOptions } from '../runtime/listener.ts';
import { runtime } from '../runtime/runtime.ts';
import { ConfigRefused } from '../settings/config.ts';
import { cannotListen, type ListenSettings } from './cannot-listen.ts';

const OCTAL = 8;

/**
 * Listens on a Unix socket. Replaces a stale socket left by a killed process.
 *
 * @param mode permissions of the socket, in octal digits
 * @throws Fault if another program uses the socket; ConfigRefused if other users (except root) could replace the path
 */
export async function listenOnSocket(
  options: ListenOptions,
  mode: string,
  settings: ListenSettings,
): Promise<Listener> {
  const { host: path } = options;
  try {
    const why = whyReplaceable(path);
    if (why !== undefined) throw new ConfigRefused(why);
    await removeStale(path);
    const listener = await runtime.listen(options);
    chmodSync(path, Number.parseInt(mode, OCTAL));
    return listener;
  } catch (error) {
    throw cannotListen(options, settings, error);
  }
}

async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new ConfigRefused('the path exists and is not a socket. Move it away');
  if (await isAnsweredAt(path)) throw Object.assign(new Error(), { code: 'EADDRINUSE' });
  rmSync(path);
}
