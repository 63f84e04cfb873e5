import { type Static, Type as t } from '@sinclair/typebox';
import { canonicalEmail } from '../domain/license/email.ts';
import type { License } from '../domain/license/license.ts';
import {
  defaultOffer,
  grantOf,
  type Offer,
  ordersOf,
  paidTwice,
  pricedItem,
} from '../domain/payment/price-list.ts';
import { isProlongable, type Order } from '../domain/payment/subscription.ts';
import { refuse } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import { noteLicense } from '../http/caller.ts';
import { type HookContext, KIB } from '../http/context.ts';
import { closed, flat, show } from '../http/contract/answers.ts';
import { withClientValues } from '../http/contract/client-values.ts';
import { TAGS } from '../http/contract/contract.ts';
import { emailText, oneOf, siteText } from '../http/fields.ts';
import { created, openRoute, pluginBody } from '../http/route/index.ts';
import { EMPTY_COUNTS_AS_ABSENT } from '../http/schema-check.ts';
import { faultOf } from '../lib/fault.ts';
import { CHECKOUT_CANCELLED, CHECKOUT_DONE, CHECKOUT_MOCK } from './checkout-page.ts';
import type { Parts } from './parts.ts';

export const CHECKOUT = '/checkout';

const ITEMS_MAX = 20;

const CheckoutRequest = t.Object(
  {
    items: t.Array(t.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$' }), {
      minItems: 1,
      maxItems: ITEMS_MAX,
      description: `slugs from the operator's catalogue, at most one plan; duplicates are ignored. Items whose modules are included in other items are refused. The default catalogue contains ${Object.keys(defaultOffer.priceList).join(', ')}`,
    }),
    email: t.Optional(emailText('e-mail address to prefill on the payment page')),
    domain: t.Optional(siteText('domain to register with the new license')),
    license_key: t.Optional(
      t.String({
        maxLength: 256,
        description:
          'key of a trial or expired license to renew instead of issuing a new one; requires an item with a plan',
      }),
    ),
  },
  {
    title: 'CheckoutRequest',
    // Deployed plugins may be newer than this server; older ones send prices.
    additionalProperties: true,
    examples: [{ items: ['pro', 'pc-guard'], email: 'owner@a-new-shop.com', domain: 'a-new-shop.com' }],
  },
);

/** Returns the body schema for the contract, which lists the orderable items. */
function orderable(offer: Offer) {
  const { properties, ...shown } = withClientValues(CheckoutRequest);
  const { description = '' } = properties.items;
  const lists = ordersOf(offer).map((slugs) => t.Array(oneOf(slugs), { minItems: 1, maxItems: ITEMS_MAX }));
  return { ...shown, properties: { ...properties, items: t.Union(lists, { description }) } };
}

const CheckoutResponse = closed(
  {
    checkout_url: t.String({ description: 'URL of the payment page' }),
    mock: t.Optional(t.Literal(true, { description: 'true if no payment processor is configured' })),
  },
  'Returns the payment page to redirect the buyer to.',
  'Checkout',
);
const EXAMPLE = { checkout_url: 'https://checkout.stripe.com/c/pay/cs_live_a1Example' };

type CheckoutParts = Parts<
  'catalog' | 'clock' | 'config' | 'findLicense' | 'identities' | 'log' | 'payments' | 'publicUrl'
>;

/** @param offer the catalogue and its prices */
export const checkout = (offer: Offer) =>
  openRoute({
    at: `POST ${CHECKOUT}`,
    limit: 'checkout',
    body: pluginBody({ schema: CheckoutRequest, shown: orderable(offer), capBytes: 8 * KIB }),
    operationId: 'openCheckout',
    summary: 'Create a checkout for a monthly subscription',
    description:
      'Prices are set on the server; fields starting with `price_` and unknown fields are ignored. The license ' +
      'is issued once the payment processor reports the subscription as paid; the return page shows its key ' +
      'once. A renewed license keeps its key and gets the paid plan; grants by the operator remain until their ' +
      'own end. ' +
      EMPTY_COUNTS_AS_ABSENT,
    tag: TAGS.licensing,
    answer: show(CheckoutResponse, EXAMPLE),
    answers: flat(),
    codes: ['UNKNOWN_CATALOG_ITEM', 'LICENSE_NOT_PROLONGABLE', 'RATE_LIMITED', 'PAYMENT_PROCESSOR_ERROR'],
    handle: created(
      ({ config, clock, log, publicUrl, identities, catalog, findLicense, payments }: CheckoutParts) => {
        const { processor, priceList, isSubscribed } = payments;

        const domainOf = (text: string | undefined): string | null => {
          if (text === undefined) return null;
          const site = normalizeSiteDomain(text, config.stagingDomains);
          if (site === undefined) throw refuse('INVALID_PAYLOAD', 'domain: is not the domain of a site');
          return site.counted ? site.name : null;
        };

        /** Whether a license can be renewed and has no subscription yet. */
        const canBeProlonged = async (license: License): Promise<boolean> =>
          isProlongable(license, processor?.environment ?? license.environment, clock.now()) &&
          !(await isSubscribed(license.id));

        /** Returns the license to renew. The refusal does not disclose the reason, or whether the license exists. */
        const licenseOf = async (
          set: HookContext['set'],
          key: string | undefined,
          items: readonly string[],
        ): Promise<number | null> => {
          if (key === undefined) return null;
          if (grantOf(priceList, items).plan === undefined) {
            throw refuse('INVALID_PAYLOAD', 'license_key: requires exactly one item with a plan');
          }
          const found = await findLicense(key);
          noteLicense(set, found);
          if (found && (await canBeProlonged(found.license))) return found.license.id;
          throw refuse(
            'LICENSE_NOT_PROLONGABLE',
            'license_key: only a license that is in trial or has expired can be prolonged.',
          );
        };

        const orderOf = async (
          set: HookContext['set'],
          body: Static<typeof CheckoutRequest>,
        ): Promise<Order> => {
          const items = [...new Set(body.items)];
          if (items.some((slug) => pricedItem(priceList, slug) === undefined)) {
            throw refuse('UNKNOWN_CATALOG_ITEM', 'items: contains a slug that is not in the catalogue');
          }
          const problem = paidTwice({ catalog, priceList }, items);
          if (problem !== undefined) throw refuse('INVALID_PAYLOAD', `items: ${problem}`);
          if (body.email !== undefined && canonicalEmail(body.email) === undefined) {
            throw refuse('INVALID_PAYLOAD', 'email: is not an e-mail address');
          }
          const { installation } = identities;
          return {
            installation,
            items,
            domain: domainOf(body.domain),
            licenseId: await licenseOf(set, body.license_key, items),
          };
        };

        return async ({ set, body }) => {
          const order = await orderOf(set, body);
          if (processor === undefined) {
            return { checkout_url: publicUrl() + CHECKOUT_MOCK, mock: true as const };
          }
          try {
            const { url } = await processor.createCheckout({
              items: order.items
                .map((slug) => pricedItem(priceList, slug))
                .filter((item) => item !== undefined),
              order,
              email: body.email?.trim().normalize('NFKC'),
              successUrl: `${publicUrl()}${CHECKOUT_DONE}?session_id={CHECKOUT_SESSION_ID}`,
              cancelUrl: publicUrl() + CHECKOUT_CANCELLED,
            });
            return { checkout_url: url };
          } catch (error) {
            log.warn('no checkout', { fault: faultOf(error) });
            throw refuse('PAYMENT_PROCESSOR_ERROR', 'The payment page could not be opened. Try again later.');
          }
        };
      },
    ),
  });
