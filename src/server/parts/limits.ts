import { createAdminLimits } from '../../http/admin-limits.ts';
import { clientAddress } from '../../http/client-address.ts';
import { createLimits, type LimitSettings } from '../../http/limits.ts';
import { rememberLast } from '../../lib/remember-last.ts';
import type { Parts } from '../../routes/parts.ts';
import { runtime } from '../../runtime/runtime.ts';
import type { Config } from '../../settings/config.ts';
import type { Input, OfStore } from './needs.ts';

/** A reload that changes no limit forgets nothing of what callers have used up. */
export function rateLimits({ store, clock }: Parts<'clock'> & OfStore<'sharedDraws'>) {
  const limitsOf = rememberLast((settings: LimitSettings & Pick<Config, 'trustedProxies'>) =>
    createLimits(
      settings,
      clientAddress(runtime.socketAddress, settings.trustedProxies),
      clock.monotonic,
      store.sharedDraws,
    ),
  );
  const adminLimitsOf = rememberLast((settings: Pick<Config, 'adminRatePerMinute' | 'adminTrustedProxies'>) =>
    createAdminLimits(
      settings.adminRatePerMinute,
      clientAddress(runtime.socketAddress, settings.adminTrustedProxies),
      clock.monotonic,
    ),
  );
  return ({ config }: Input<'config'>) => {
    const { rateKeyPerMinute, rateIpPerMinute, trustedProxies, adminRatePerMinute, adminTrustedProxies } =
      config;
    return {
      limits: limitsOf({ rateKeyPerMinute, rateIpPerMinute, trustedProxies }),
      adminLimits: adminLimitsOf({ adminRatePerMinute, adminTrustedProxies }),
    };
  };
}
