import { directAccess } from '../../http/direct-access.ts';
import { isCollected } from '../../lib/log.ts';
import { runtime } from '../../runtime/runtime.ts';
import { listenerHosts } from '../../settings/console-address.ts';
import type { Input } from './needs.ts';

interface Lasting {
  /** The URL of the open listener. */
  readonly url: () => string;
}

/** Properties of the public listener. */
export const listener =
  ({ url }: Lasting) =>
  ({ config, securityTxt }: Input<'config' | 'securityTxt'>) => ({
    /** The public URL of this service without a path: the configured one, otherwise that of the listener. */
    publicUrl: () => config.baseUrl ?? url(),
    securityTxt: securityTxt?.textAt,
    /** Whether the log goes to a file or another process. */
    logCollected: isCollected(),
    mayReadMetrics: directAccess({
      socketAddress: runtime.socketAddress,
      ranges: config.metricsAllow,
      hosts: listenerHosts(config.host, config.baseUrl),
    }),
    isTidied: runtime.isTidied,
    connections: runtime.connections,
  });
