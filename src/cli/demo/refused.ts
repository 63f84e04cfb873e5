import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';
import type { NewRefusals } from '../../storage/licenses/refused-domains.ts';
import type { DemoCustomer } from './customers.ts';

/** Domains that a license has no site for, by its customer. */
const TOO_MANY: Readonly<Record<string, readonly string[]>> = {
  'Ferraro Moda': ['ferraro-shoes.example.com', 'ferraro-kids.example.com'],
};
const EARLIER_COUNT = 14;

/** The domains that license/verify refuses for a customer, over two days. */
export function refusedIn({ name, endsIn = 1, state, sites }: DemoCustomer, licenseId: number, now: number) {
  const own = sites.map(({ domain }) => domain);
  const [reason, domains] =
    endsIn < 0
      ? (['expired', own] as const)
      : state === 'dispute'
        ? (['suspended', own] as const)
        : (['site_limit_reached', TOO_MANY[name] ?? []] as const);
  return domains.flatMap((domain, index): NewRefusals[] => {
    const lastAt = now - (index === 0 ? 2 * MINUTE_MS : index * HOUR_MS);
    const common = { licenseId, domain, reason };
    return [
      { ...common, count: EARLIER_COUNT, lastAt: now - 2 * DAY_MS },
      { ...common, count: 27 - 12 * Math.min(index, 2), lastAt },
    ];
  });
}
