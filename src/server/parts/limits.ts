import { createAdminLimits } from '../../http/admin-limits.ts';
import { clientAddress, exactAddress } from '../../http/client-address.ts';
import { createFailedSignIns } from '../../http/failed-sign-ins.ts';
import { createLimits, type LimitSettings } from '../../http/limits.ts';
import { rememberLast } from '../../lib/remember-last.ts';
import type { Parts } from '../../routes/parts.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { Config } from '../../settings/config.ts';
import type { Input, OfStore } from './needs.ts';

/** Rate limits. A reload that does not change them keeps the counts. */
export function rateLimits({ store, clock, log }: Parts<'clock' | 'log'> & OfStore<'sharedDraws'>) {
  const noteFailedSignIn = createFailedSignIns(log, clock.monotonic);
  const limitsOf = rememberLast((settings: LimitSettings & Pick<Config, 'trustedProxies'>) => {
    const exactOf = exactAddress(runtime.socketAddress, settings.trustedProxies);
    return createLimits(
      settings,
      clientAddress(runtime.socketAddress, settings.trustedProxies),
      clock.monotonic,
      store.sharedDraws,
      (door, request) => noteFailedSignIn(door, exactOf(request)),
    );
  });
  const adminOf = rememberLast((settings: Pick<Config, 'adminRatePerMinute' | 'adminTrustedProxies'>) => {
    const exactOf = exactAddress(runtime.socketAddress, settings.adminTrustedProxies);
    return {
      adminLimits: createAdminLimits(
        settings.adminRatePerMinute,
        clientAddress(runtime.socketAddress, settings.adminTrustedProxies),
        clock.monotonic,
        (request) => noteFailedSignIn('token', exactOf(request)),
      ),
      noteFailedSignIn: (request: Request) => noteFailedSignIn('console', exactOf(request)),
    };
  });
  return ({ config }: Input<'config'>) => {
    const { rateKeyPerMinute, rateIpPerMinute, trustedProxies, adminRatePerMinute, adminTrustedProxies } =
      config;
    return {
      limits: limitsOf({ rateKeyPerMinute, rateIpPerMinute, trustedProxies }),
      ...adminOf({ adminRatePerMinute, adminTrustedProxies }),
    };
  };
}
