import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { MODULE_NAME, PLANS, type Plan } from '../domain/license/catalog.ts';
import { defaultOffer, type Offer, type Price, SLUG } from '../domain/payment/price-list.ts';
import { fileWords } from '../lib/file-trouble.ts';
import { readFile } from '../lib/read-file.ts';
import { repeatedName } from '../lib/strict-json.ts';
import { ConfigRefused } from './config.ts';
import { SETTINGS } from './settings.ts';

const Modules = Type.Array(Type.String({ pattern: MODULE_NAME.source }), {
  maxItems: 200,
  uniqueItems: true,
});
const PlanTerms = Type.Object(
  { sites_allowed: Type.Integer({ minimum: 0, maximum: 1_000_000 }), modules: Modules },
  { additionalProperties: false },
);
const Plans = Type.Partial(
  Type.Object({ free: PlanTerms, starter: PlanTerms, pro: PlanTerms, enterprise: PlanTerms } satisfies Record<
    Plan,
    typeof PlanTerms
  >),
  { additionalProperties: false },
);
const PlanName = Type.Union(PLANS.map((plan) => Type.Literal(plan)));
const Item = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 250 }),
    plan: Type.Optional(PlanName),
    modules: Type.Optional(Modules),
    /** Either a price that exists at Stripe, or currency and monthly amount. */
    stripe_price: Type.Optional(Type.String({ pattern: '^price_[A-Za-z0-9_]+$' })),
    currency: Type.Optional(Type.String({ pattern: '^[a-z]{3}$' })),
    unit_amount: Type.Optional(Type.Integer({ minimum: 0, maximum: 99_999_999 })),
  },
  { additionalProperties: false },
);
const CatalogFile = Type.Object(
  {
    plans: Type.Optional(Plans),
    items: Type.Record(Type.String({ pattern: SLUG.source }), Item, { additionalProperties: false }),
  },
  { additionalProperties: false },
);

/**
 * The catalog: the embedded one, or that of a file. Plans missing in the file are as in the embedded catalog; items come only
 * from the file.
 *
 * @throws ConfigRefused that names the first error in the file
 */
export function loadOffer(path: string | undefined): Offer {
  if (path === undefined) return defaultOffer;
  try {
    return offerIn(readCatalogFile(path));
  } catch (error) {
    if (!(error instanceof CatalogProblem)) throw error;
    throw new ConfigRefused(`${SETTINGS.catalogFile.env}: ${path}: ${error.message}`);
  }
}

/** An error in a catalog file. The message follows the file's name. */
class CatalogProblem extends Error {}

function offerIn(file: Static<typeof CatalogFile>): Offer {
  const plans = Object.entries(file.plans ?? {}).map(([plan, terms]) => [
    plan,
    { sitesAllowed: terms.sites_allowed, modules: terms.modules },
  ]);
  const items = Object.entries(file.items).map(([slug, item]) => {
    const { name, plan, modules } = item;
    const grants = { ...(plan ? { plan } : {}), ...(modules?.length ? { modules } : {}) };
    if (Object.keys(grants).length === 0)
      throw new CatalogProblem(`/items/${slug}: grants neither a plan nor modules`);
    return [slug, { name, price: priceOf(slug, item), ...grants }];
  });
  requireOneCurrency(Object.entries(file.items));
  return {
    catalog: { ...defaultOffer.catalog, ...Object.fromEntries(plans) },
    priceList: Object.fromEntries(items),
  };
}

function readCatalogFile(path: string): Static<typeof CatalogFile> {
  let content: unknown;
  let json = '';
  try {
    json = readFile(path);
    content = JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) throw new CatalogProblem('is not JSON');
    throw new CatalogProblem(`cannot be read: ${fileWords(error as NodeJS.ErrnoException)}`);
  }
  if (!Check(CatalogFile, content)) {
    const [problem] = Errors(CatalogFile, content);
    throw new CatalogProblem(`${problem?.instancePath || '/'}: ${problem?.message ?? 'is malformed'}`);
  }
  const repeated = repeatedName(json);
  if (repeated !== undefined) throw new CatalogProblem(`${repeated}: is repeated. Keep one of them`);
  return content;
}

function priceOf(slug: string, item: Static<typeof Item>): Price {
  const { stripe_price: priceId, currency, unit_amount: unitAmount } = item;
  if (priceId !== undefined && currency === undefined && unitAmount === undefined) return { priceId };
  if (priceId === undefined && currency !== undefined && unitAmount !== undefined) {
    return { currency, unitAmount };
  }
  throw new CatalogProblem(`/items/${slug}: set either stripe_price, or currency and unit_amount`);
}

/** A Stripe checkout has a single currency. */
function requireOneCurrency(items: readonly (readonly [string, Static<typeof Item>])[]): void {
  const priced = items.filter(([, { currency }]) => currency !== undefined);
  const [first] = priced;
  const other = priced.find(([, { currency }]) => currency !== first?.[1].currency);
  if (first === undefined || other === undefined) return;
  const [slug, { currency }] = other;
  throw new CatalogProblem(
    `/items/${slug}: currency is ${currency}, but ${first[1].currency} in /items/${first[0]}. Use one currency for all items`,
  );
}
