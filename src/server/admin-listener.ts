import { reasonOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Listener, Served } from '../runtime/listener.ts';
import { runtime } from '../runtime/runtime.ts';
import { ConfigRefused } from '../settings/config.ts';
import type { ServiceInput } from '../settings/service-input.ts';

export interface AdminListening {
  readonly input: ServiceInput;
  /** Makes what is served; not asked for where nothing is. */
  readonly app: () => Promise<Served>;
  readonly log: Log;
}

/**
 * Listens for operators and their programs.
 *
 * @returns undefined where that is switched off, or where the port that nobody chose is taken
 * @throws ConfigRefused when a port that was chosen is taken
 */
export async function listenForAdmin({ input, app, log }: AdminListening): Promise<Listener | undefined> {
  const { config, adminCertificate: tls, isAdminPortSet } = input;
  const { adminHost: host, adminPort: port } = config;
  if (port === 'off') return undefined;
  const served = await app();
  try {
    return await runtime.listen({ host, port, tls, app: served, bounds: undefined });
  } catch (error) {
    const reason = reasonOf(error);
    if (isAdminPortSet)
      throw new ConfigRefused(
        `cannot listen on SERVICE_ADMIN_HOST ${host}, SERVICE_ADMIN_PORT ${port}: ${reason}`,
      );
    log.warn('the admin API is not there: its port is taken; set SERVICE_ADMIN_PORT to another, or to off', {
      port,
      reason,
    });
    return undefined;
  }
}
