import type { ConnectionBounds } from '../lib/crowd.ts';
import type { Log } from '../lib/log.ts';
import type { Served } from '../runtime/listener.ts';
import type { ServiceInput } from '../settings/service-input.ts';
import { SETTINGS } from '../settings/settings.ts';
import { cannotListen } from './cannot-listen.ts';
import { type OpenListener, openListener } from './open-listener.ts';

const NAMES = { host: SETTINGS.host.env, port: SETTINGS.port.env };

export interface PublicListening {
  readonly input: ServiceInput;
  readonly app: Served;
  readonly bounds: ConnectionBounds;
  readonly log: Log;
}

/**
 * Opens the listener for tenants and their programs.
 *
 * @throws Fault or ConfigRefused; both name the settings
 */
export async function listenForPublic({ input, app, bounds, log }: PublicListening): Promise<OpenListener> {
  const { config, certificate: tls } = input;
  const { host, port, socketMode } = config;
  const listening = await openListener({ host, port, socketMode, tls, app, bounds }, NAMES);
  if (listening.missing !== undefined)
    log.warn('the service listens on one loopback address only', { reason: listening.missing });
  return listening;
}

/** Describes an error of the listener with the names of its settings. */
export const refusedAddress = ({ config: { host, port } }: ServiceInput, error: unknown): Error =>
  cannotListen({ host, port }, NAMES, error);
