import { licenseName, parseLicenseName } from '../../domain/license/license-name.ts';
import type { Order } from '../../domain/payment/subscription.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';

// Orders are stored in the metadata of Stripe's objects: at most 50 keys with text values.

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

/** Reads the order of an object; null if another installation, or none, created it. */
export function orderOf(
  metadata: Readonly<Record<string, string>> | null,
  installation: string,
): Order | null {
  if (metadata?.[`${PREFIX}installation`] !== installation) return null;
  const items = Array.from({ length: ITEMS_MAX }, (_, index) => metadata[`${PREFIX}item_${index + 1}`]);
  return {
    installation,
    items: items.filter((slug) => slug !== undefined),
    // Metadata is untrusted: the owner of the account can edit it.
    domain: normalizeSiteDomain(metadata[`${PREFIX}domain`] ?? '')?.name ?? null,
    licenseId: parseLicenseName(metadata[`${PREFIX}license`] ?? '') ?? null,
  };
}
