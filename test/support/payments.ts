import { createIdentities } from '../../src/domain/identity.ts';
import { defaultOffer } from '../../src/domain/payment/price-list.ts';
import { refuse } from '../../src/domain/refusal.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { Turns } from '../../src/lib/turns.ts';
import type { PaymentProcessor } from '../../src/outside/payment-processor.ts';
import { createStripe } from '../../src/outside/stripe/stripe.ts';
import { createEnrolment } from '../../src/payments/enrolment.ts';
import { reconcile } from '../../src/payments/reconciliation.ts';
import { createSettlement } from '../../src/payments/settlement.ts';
import { createTrialCards } from '../../src/payments/trial-cards.ts';
import { prepareBatches } from '../../src/storage/changes.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { createGroupWriter, type Writer } from '../../src/storage/engine/writer.ts';
import { readLicenses } from '../../src/storage/licenses/licenses.ts';
import { readCheckouts } from '../../src/storage/payments/checkouts.ts';
import { readPaymentEvents } from '../../src/storage/payments/payment-events.ts';
import { readSubscriptions } from '../../src/storage/payments/subscriptions.ts';
import { readTrials } from '../../src/storage/payments/trials.ts';
import { SECRET_KEY } from './stripe/handlers.ts';
import type { Event } from './stripe/objects.ts';
import { delivery, WEBHOOK_SECRET } from './stripe/webhook.ts';

export const identities = createIdentities(new Uint8Array(32).fill(7));

/** A clock controlled by the test. */
export class HeldClock implements Clock {
  ms = Date.UTC(2026, 10, 1);
  now = () => this.ms;
  monotonic = () => this.ms;
}

export const stripe = (timeoutMs = 1_000): Promise<PaymentProcessor> =>
  createStripe({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    apiBase: undefined,
    identities,
    timeoutMs,
  });

export interface HouseOptions {
  /** Closed together with the payment side. */
  readonly db: Database;
  readonly clock: Clock;
  /** Undefined = none is configured. */
  readonly processor: PaymentProcessor | undefined;
  readonly trialsPerDay?: number;
  /** Whether the store refuses a job. */
  readonly refuses?: (job: string) => boolean;
  readonly log?: Log;
  /** Wraps every step that reaches the store or the processor. */
  readonly step?: <Value>(task: () => Promise<Value>) => Promise<Value>;
}

/** The payment side of the service over one database, without HTTP: the state of a live process. */
export function openHouse(options: HouseOptions) {
  const { db, clock, processor, trialsPerDay = 1_000, step = (task) => task(), log = silentLog } = options;
  const group = createGroupWriter({
    commit: async (jobs) => run(jobs),
    onFault: (fault) => {
      throw new Error(fault);
    },
  });
  const run = prepareBatches(db);
  const write = ((name: never, input: never) =>
    step<unknown>(async () =>
      options.refuses?.(name) ? refuse('STORE_UNAVAILABLE', 'Not now.') : group.write(name, input),
    )) as Writer['write'];
  const asked = processor && stepping(processor, step);
  const common = { writer: { write }, clock, log };
  const stored = readPaymentEvents(db);
  const cards = createTrialCards({ ...common, processor: asked, stored: readTrials(db) });
  const settlement =
    asked &&
    createSettlement({
      ...common,
      processor: asked,
      stored,
      subscriptions: readSubscriptions(db),
      trialCards: cards,
      offer: defaultOffer,
      graceDays: 7,
      turns: new Turns(),
      clockWork: ALONE,
    });
  return {
    enroll: createEnrolment({ ...common, processor: asked, identities, trialsPerDay }),
    cards,
    /** Settles everything that is due, and returns whether nothing is pending. */
    async settle(): Promise<boolean> {
      while (true) {
        const dueAt = await settlement?.settle();
        if (dueAt === undefined || dueAt > clock.now()) return dueAt === undefined;
      }
    },
    renew: async () => settlement?.renew(),
    reconcile: async () => asked && (await reconcile({ ...common, processor: asked, stored })),
    write,
    licenses: readLicenses(db),
    checkoutState: readCheckouts(db).stateOf,
    /** Accepts a delivery as the webhook does. */
    async deliver(event: Event): Promise<void> {
      const { body, signature } = delivery(event, { at: Math.floor(clock.now() / 1_000) });
      const read = await processor?.readDelivery(new TextEncoder().encode(body), signature, clock.now());
      if (read) await settlement?.take(read);
    },
    rows: async (sql: string) => prepare<Record<string, unknown>>(db, sql).all(),
    exec: async (sql: string) => execute(db, sql),
    close: () => disconnect(db),
  };
}

export type House = ReturnType<typeof openHouse>;

/** A processor of which every call is a step. */
function stepping(processor: PaymentProcessor, step: NonNullable<HouseOptions['step']>): PaymentProcessor {
  const wrapped = Object.entries(processor).map(([name, value]) => {
    const isCall = typeof value === 'function' && name !== 'listEvents';
    return [name, isCall ? (...words: unknown[]) => step(() => value(...words)) : value];
  });
  return Object.fromEntries(wrapped) as PaymentProcessor;
}
