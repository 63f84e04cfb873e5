import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Stripe } from 'stripe';
import type { StripeAccount } from './account.ts';
import { type ApiError, listOf, type Session, type SetupIntent } from './objects.ts';

export const SECRET_KEY = 'sk_test_fake';

/** A fault that replaces the answer to a request, once. */
export type Fault = 402 | 409 | 429 | 500 | 'hang';

const FAULTS: Record<Exclude<Fault, 'hang'>, ApiError> = {
  402: { type: 'card_error', code: 'card_declined', message: 'declined' },
  409: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'in use' },
  429: { type: 'rate_limit_error', code: 'rate_limit', message: 'too many' },
  500: { type: 'api_error', message: 'broken' },
};

interface Reply {
  readonly status: number;
  readonly body: object;
}

const replied = (body: object): Reply => ({ status: 200, body });
const failed = (status: number, error: ApiError): Reply => ({ status, body: { error } });
const missing = () =>
  failed(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'no such object' });

interface Ask {
  readonly params: URLSearchParams;
  readonly path: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Everything below `name[...]` of a form. */
const nested = (params: URLSearchParams, name: string): Record<string, string> =>
  Object.fromEntries(
    [...params]
      .filter(([key]) => key.startsWith(`${name}[`))
      .map(([key, value]) => [key.slice(name.length + 1, -1), value]),
  );

const KNOWN_SETUP_PARAMS = [
  'customer',
  'usage',
  'allowed_payment_method_types',
  'metadata',
] as const satisfies readonly (keyof Stripe.SetupIntentCreateParams)[];

/** Stripe's API in front of an account: keys, idempotency, retrieval, paging and faults as Stripe has them. */
export class StripeApi {
  readonly account: StripeAccount;
  /** Requests in the order of their arrival, as `POST /v1/customers`. */
  readonly asked: string[] = [];
  readonly #faults: { match: string; fault: Fault }[] = [];
  readonly #answered = new Map<string, { text: string; reply: Reply }>();

  constructor(account: StripeAccount) {
    this.account = account;
  }

  /** The next request that matches, such as `POST /v1/setup_intents`, gets a fault. */
  fail(match: string, fault: Fault): void {
    this.#faults.push({ match, fault });
  }

  /** Removes unused faults. */
  heal(): void {
    this.#faults.length = 0;
  }

  get handlers(): HttpHandler[] {
    const { account } = this;
    const find =
      <Value>(objects: Map<string, Value>, shown = (value: Value): object => value as object) =>
      ({ path }: Ask): Reply => {
        const found = objects.get(String(path.id));
        return found === undefined ? missing() : replied(shown(found));
      };
    return [
      this.#route('post', '/v1/customers', ({ params }) => {
        const customer = {
          ...account.head('cus', 'customer' as const),
          email: params.get('email'),
          metadata: nested(params, 'metadata'),
        };
        account.customers.set(customer.id, customer);
        return replied(customer);
      }),
      this.#route('post', '/v1/setup_intents', (ask) => this.#createSetupIntent(ask)),
      this.#route('get', '/v1/setup_intents/:id', find(account.setupIntents)),
      this.#route('post', '/v1/setup_intents/:id/cancel', ({ path }) => {
        const intent = account.setupIntents.get(String(path.id));
        if (intent === undefined) return missing();
        if (intent.status !== 'requires_payment_method') {
          const code = 'setup_intent_unexpected_state';
          return failed(400, { type: 'invalid_request_error', code, message: 'it is over' });
        }
        intent.status = 'canceled';
        account.emit('setup_intent.canceled', intent);
        return replied(intent);
      }),
      this.#route('post', '/v1/checkout/sessions', (ask) => this.#createSession(ask)),
      this.#route('get', '/v1/checkout/sessions/:id', find(account.sessions)),
      this.#route('get', '/v1/subscriptions/:id', (ask) =>
        find(account.subscriptions, (subscription) =>
          ask.params.get('expand[0]') === 'customer'
            ? { ...subscription, customer: account.customers.get(subscription.customer) }
            : subscription,
        )(ask),
      ),
      this.#route('get', '/v1/disputes/:id', (ask) =>
        find(account.disputes, (dispute) =>
          ask.params.get('expand[0]') === 'charge'
            ? { ...dispute, charge: account.charges.get(dispute.charge) }
            : dispute,
        )(ask),
      ),
      this.#route('get', '/v1/invoices', ({ params }) => {
        const found = account.invoicesOf(params.get('subscription') ?? '');
        const isExpanded = params.get('expand[0]') === 'data.payments';
        const shown = found.map(({ payments, ...invoice }) =>
          isExpanded ? { ...invoice, payments } : invoice,
        );
        return replied(listOf(shown, '/v1/invoices'));
      }),
      this.#route('get', '/v1/invoices/:id', find(account.invoices)),
      this.#route('get', '/v1/invoice_payments', ({ params }) => {
        const intent = params.get('payment[payment_intent]');
        const paid = [...account.invoices.values()].flatMap((invoice) =>
          invoice.payments.data
            .filter(({ payment }) => payment.payment_intent === intent)
            .map((payment) => ({ ...payment, invoice })),
        );
        return replied(listOf(paid, '/v1/invoice_payments'));
      }),
      this.#route('get', '/v1/refunds', ({ params }) => {
        const intent = params.get('payment_intent');
        const found = [...account.refunds.values()].filter(({ payment_intent }) => payment_intent === intent);
        return replied(listOf(found, '/v1/refunds'));
      }),
      this.#route('get', '/v1/credit_notes', ({ params }) => {
        const found = [...account.creditNotes.values()].filter(
          ({ invoice }) => invoice === params.get('invoice'),
        );
        return replied(listOf(found, '/v1/credit_notes'));
      }),
      this.#route('get', '/v1/events', ({ params }) => replied(this.#listEvents(params))),
    ];
  }

  #createSetupIntent({ params }: Ask): Reply {
    const unknown = [...params.keys()]
      .map((key) => key.split('[')[0] ?? key)
      .find((key) => !(KNOWN_SETUP_PARAMS as readonly string[]).includes(key));
    if (unknown !== undefined) {
      return failed(400, { type: 'invalid_request_error', code: 'parameter_unknown', message: unknown });
    }
    const customer = params.get('customer');
    if (customer === null || !this.account.customers.has(customer)) return missing();
    const head = this.account.head('seti', 'setup_intent' as const);
    const intent: SetupIntent = {
      ...head,
      customer,
      client_secret: `${head.id}_secret_x`,
      metadata: nested(params, 'metadata'),
      status: 'requires_payment_method',
      usage: params.get('usage') ?? 'off_session',
      allowed_payment_method_types: Object.values(nested(params, 'allowed_payment_method_types')),
    };
    this.account.setupIntents.set(intent.id, intent);
    return replied(intent);
  }

  /** The charges of open sessions, for a buyer to look up. */
  readonly carts = new Map<string, URLSearchParams>();

  /** Why Stripe opens no checkout for these prices; a price of the other mode is unknown to it. */
  #priceProblem(params: URLSearchParams): ApiError | undefined {
    const ids = [...params].flatMap(([name, value]) =>
      /^line_items\[\d+\]\[price\]$/.test(name) ? [value] : [],
    );
    const sent = [...params].flatMap(([name, value]) => (name.endsWith('[currency]') ? [value] : []));
    const prices = ids.flatMap((id) => this.account.prices.get(id) ?? []);
    const refusal = (message: string, code?: string): ApiError => ({
      type: 'invalid_request_error',
      message,
      ...(code === undefined ? {} : { code }),
    });
    if (prices.length < ids.length) return refusal('No such price', 'resource_missing');
    if (prices.some(({ active }) => !active)) return refusal('The price is inactive', 'price_inactive');
    if (new Set([...sent, ...prices.map(({ currency }) => currency)]).size > 1)
      return refusal('All prices must have the same currency');
    const intervals = prices.flatMap(({ interval }) => interval ?? []);
    if (new Set(intervals.concat(sent.map(() => 'month'))).size > 1)
      return refusal('Checkout does not support multiple prices with different billing intervals');
    return intervals.length + sent.length === 0
      ? refusal('You must provide at least one recurring price in subscription mode')
      : undefined;
  }

  #createSession({ params }: Ask): Reply {
    const problem = this.#priceProblem(params);
    if (problem) return failed(400, problem);
    const head = this.account.head('cs_test', 'checkout.session' as const);
    const session: Session = {
      ...head,
      metadata: nested(params, 'metadata'),
      mode: params.get('mode') as 'subscription',
      status: 'open',
      payment_status: 'unpaid',
      subscription: null,
      success_url: params.get('success_url'),
      url: `https://checkout.stripe.com/c/pay/${head.id}`,
    };
    this.account.sessions.set(session.id, session);
    this.carts.set(session.id, params);
    return replied(session);
  }

  /** The buyer pays for an open session. */
  pay(sessionId: string) {
    const session = this.account.sessions.get(sessionId);
    const cart = this.carts.get(sessionId);
    if (session === undefined || cart === undefined) throw new Error('no such session');
    return this.account.pay(session, nested(cart, 'subscription_data[metadata]'));
  }

  #listEvents(params: URLSearchParams) {
    const types = Object.values(nested(params, 'types'));
    if (types.length > 20) throw new Error('Stripe lists at most 20 types of events at a time');
    const { gte = '0', lt = 'Infinity' } = nested(params, 'created');
    const matching = this.account.events
      .filter(({ type, created }) => types.includes(type) && created >= Number(gte) && created < Number(lt))
      .reverse();
    const after = params.get('starting_after');
    const start = after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1;
    const limit = Number(params.get('limit') ?? 10);
    return listOf(matching.slice(start, start + limit), '/v1/events', matching.length > start + limit);
  }

  #route(method: 'get' | 'post', path: string, answer: (ask: Ask) => Reply): HttpHandler {
    return http[method](`*${path}`, async ({ request, params: pathParams }) => {
      const asked = `${method.toUpperCase()} ${new URL(request.url).pathname}`;
      this.asked.push(asked);
      const text = await request.text();
      const params = method === 'get' ? new URL(request.url).searchParams : new URLSearchParams(text);
      const index = this.#faults.findIndex(({ match }) => asked.startsWith(match));
      const [met] = index === -1 ? [] : this.#faults.splice(index, 1);
      if (typeof met?.fault === 'number') {
        return HttpResponse.json({ error: FAULTS[met.fault] }, { status: met.fault });
      }
      const { status, body } = this.#once(request, text, () => answer({ params, path: pathParams }));
      // A request without a timely answer was carried out all the same.
      return met ? new Promise<never>(() => {}) : HttpResponse.json(body, { status });
    });
  }

  /** Carries a request out, or returns its earlier result. */
  #once(request: Request, text: string, answer: () => Reply): Reply {
    if (request.headers.get('authorization') !== `Bearer ${SECRET_KEY}`) {
      return failed(401, { type: 'authentication_error', message: 'no such key' });
    }
    const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
    const known = key === null ? undefined : this.#answered.get(key);
    if (known !== undefined) {
      if (known.text === text) return known.reply;
      return failed(400, { type: 'idempotency_error', message: 'other parameters' });
    }
    const reply = structuredClone(answer());
    if (key !== null) this.#answered.set(key, { text, reply });
    return reply;
  }
}
