import { type Catalog, defaultCatalog, PLANS, type Plan } from '../license/catalog.ts';

/** A complete price for the payment processor, or the id of one that the operator has created there. */
export type Price =
  | {
      /** ISO 4217, lower-case. */
      readonly currency: string;
      /** A month, in the currency's smallest unit. */
      readonly unitAmount: number;
    }
  | {
      /** What the processor calls it. */
      readonly priceId: string;
    };

/** Something that can be ordered: a plan, modules, or both. */
export interface PricedItem {
  readonly name: string;
  readonly price: Price;
  readonly plan?: Plan;
  readonly modules?: readonly string[];
}

/** What can be ordered, by slug. */
export type PriceList = Readonly<Record<string, PricedItem>>;

/** Everything on sale: the terms of plans and the items to order. */
export interface Offer {
  readonly catalog: Catalog;
  readonly priceList: PriceList;
}

/** An item's slug: lower-case words joined by hyphens or underscores. */
export const SLUG = /^[a-z][a-z0-9_-]{0,63}$/;

const monthly = (unitAmount: number): Price => ({ currency: 'usd', unitAmount });

export const defaultOffer: Offer = {
  catalog: defaultCatalog,
  priceList: {
    starter: { name: 'Redoubt Starter', plan: 'starter', price: monthly(900) },
    pro: { name: 'Redoubt Pro', plan: 'pro', price: monthly(2_900) },
    enterprise: { name: 'Redoubt Enterprise', plan: 'enterprise', price: monthly(19_900) },
    'pc-guard': { name: 'PC Guard', modules: ['pc_guard'], price: monthly(500) },
    'cloud-immunity': { name: 'Cloud Immunity', modules: ['cloud_immunity'], price: monthly(700) },
  },
};

/** An item of the list; excludes inherited property names. */
export const pricedItem = (priceList: PriceList, slug: string): PricedItem | undefined =>
  Object.hasOwn(priceList, slug) ? priceList[slug] : undefined;

/** The slugs that can be ordered together: a plan with what it does not include, or no plan. */
export function ordersOf(offer: Offer): readonly (readonly string[])[] {
  const slugs = Object.keys(offer.priceList);
  const isPlan = (slug: string) => pricedItem(offer.priceList, slug)?.plan !== undefined;
  const others = slugs.filter((slug) => !isPlan(slug));
  const withPlan = slugs
    .filter(isPlan)
    .map((plan) => [plan, ...others.filter((other) => paidTwice(offer, [plan, other]) === undefined)]);
  return withPlan.some((list) => list.length > others.length) ? withPlan : [...withPlan, others];
}

/** What ordered items grant together. */
export interface Grant {
  /** The highest plan among them; undefined when none is a plan. */
  readonly plan: Plan | undefined;
  readonly modules: string[];
}

/**
 * Why a buyer would pay twice by ordering these items; undefined when each adds something. Plans include one another, and
 * modules.
 */
export function paidTwice({ catalog, priceList }: Offer, slugs: readonly string[]): string | undefined {
  const items = slugs.map((slug) => pricedItem(priceList, slug)).filter((item) => item !== undefined);
  const [plan, ...others] = items.flatMap((item) => item.plan ?? []);
  if (others.length > 0) return 'Expected at most one plan';
  const included = new Set(plan === undefined ? [] : catalog[plan].modules);
  const isAdded = ({ modules = [] }: PricedItem, at: number) => {
    const elsewhere = items.flatMap((other, place) => (place === at ? [] : (other.modules ?? [])));
    return modules.some((module) => !included.has(module) && !elsewhere.includes(module));
  };
  return items.every((item, at) => item.plan !== undefined || isAdded(item, at))
    ? undefined
    : 'contains an item whose modules are included in the others';
}

/** The grant of an order. A slug that was removed from the list grants nothing. */
export function grantOf(priceList: PriceList, slugs: readonly string[]): Grant {
  const items = slugs.map((slug) => pricedItem(priceList, slug)).filter((item) => item !== undefined);
  return {
    plan: PLANS.findLast((plan) => items.some((item) => item.plan === plan)),
    modules: [...new Set(items.flatMap(({ modules = [] }) => modules))],
  };
}
