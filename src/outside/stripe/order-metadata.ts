import { licenseName, parseLicenseName } from '../../domain/license/license-name.ts';
import type { Order } from '../../domain/payment/subscription.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';

// An order travels in the metadata of the processor's objects: at most 50 keys of strings.

const PREFIX = 'redoubt_';
const ITEMS_MAX = 20;

export const TRIAL_KEY = `${PREFIX}trial`;

export function orderMetadata({ installation, items, domain, licenseId }: Order): Record<string, string> {
  return {
    [`${PREFIX}installation`]: installation,
    ...(domain === null ? {} : { [`${PREFIX}domain`]: domain }),
    ...(licenseId === null ? {} : { [`${PREFIX}license`]: licenseName(licenseId) }),
    ...Object.fromEntries(items.map((slug, index) => [`${PREFIX}item_${index + 1}`, slug])),
  };
}

/** The order that an object was made for; null when it was not made by this installation. */
export function orderOf(
  metadata: Readonly<Record<string, string>> | null,
  installation: string,
): Order | null {
  if (metadata?.[`${PREFIX}installation`] !== installation) return null;
  const items = Array.from({ length: ITEMS_MAX }, (_, index) => metadata[`${PREFIX}item_${index + 1}`]);
  return {
    installation,
    items: items.filter((slug) => slug !== undefined),
    // The owner of the account can write anything there.
    domain: normalizeSiteDomain(metadata[`${PREFIX}domain`] ?? '')?.name ?? null,
    licenseId: parseLicenseName(metadata[`${PREFIX}license`] ?? '') ?? null,
  };
}
