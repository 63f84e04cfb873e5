import type { Log } from '../lib/log.ts';
import type { Served } from '../runtime/listener.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { SETTINGS } from '../settings/settings.ts';
import { type OpenListener, openListener } from './open-listener.ts';

export interface AdminListening {
  readonly input: ServiceInput;
  /** Creates the app. Not called if the listener is off. */
  readonly app: () => Promise<Served>;
  readonly log: Log;
}

/**
 * Opens the admin listener.
 *
 * @returns undefined if it is switched off
 * @throws Fault if the port is taken, even the default one: another user's program could impersonate the service
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
