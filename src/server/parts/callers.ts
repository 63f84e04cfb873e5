import { authenticate, bearerOrBasicKey } from '../../http/caller.ts';
import type { HookContext } from '../../http/context.ts';
import { whenReady } from '../../lib/when-ready.ts';
import type { Parts } from '../../routes/parts.ts';
import { createLicenseLookup, type LicenseLookup, licenseIdOf } from '../license-lookup.ts';

type Lasting = Pick<LicenseLookup, 'findByKeyHash' | 'generation'> & Parts<'clock'>;

/** Authentication by license key. */
export const callers =
  ({ findByKeyHash, generation, clock }: Lasting) =>
  ({ catalog, limits }: Parts<'catalog' | 'limits'>) => {
    const findLicense = createLicenseLookup({ findByKeyHash, generation, catalog, now: clock.now });
    const idOf = licenseIdOf(findLicense);
    return {
      findLicense,
      authenticate: authenticate(findLicense, limits),
      /** For the feed: a license must be active or in trial. */
      authenticateValid: authenticate(findLicense, limits, { onlyValid: true }),
      /** Also accepts the key as a Basic password, for programs that do not support Bearer keys. */
      authenticateReader: authenticate(findLicense, limits, { keyOf: bearerOrBasicKey, onlyValid: true }),
      peekLimits: ({ request, set }: HookContext) =>
        whenReady(idOf(request), (id) => limits.peek({ request, set }, id)),
    };
  };
