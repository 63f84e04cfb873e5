import type { Log } from '../lib/log.ts';
import type { Served } from '../runtime/listener.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { SETTINGS } from '../settings/settings.ts';
import { type OpenListener, openListener } from './open-listener.ts';

export interface AdminListening {
  readonly input: ServiceInput;
  /** Makes what is served; not asked for where nothing is. */
  readonly app: () => Promise<Served>;
  readonly log: Log;
}

/**
 * Listens for operators and their programs.
 *
 * @returns undefined where that is switched off
 * @throws Fault when the port is taken, set or not: another user's program could answer operators in its place
 */
export async function listenForAdmin({ input, app, log }: AdminListening): Promise<OpenListener | undefined> {
  const { config, adminCertificate: tls } = input;
  const { adminHost: host, adminPort: port, adminSocketMode: socketMode } = config;
  if (port === 'off') return undefined;
  const options = { host, port, socketMode, tls, app: await app(), bounds: undefined };
  const listening = await openListener(options, {
    host: SETTINGS.adminHost.env,
    port: SETTINGS.adminPort.env,
  });
  if (listening.missing !== undefined)
    log.warn('the admin API listens on one loopback address only', { reason: listening.missing });
  return listening;
}
