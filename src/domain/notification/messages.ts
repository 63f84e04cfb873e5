import type { Message } from './delivery.ts';
import type { NotificationEvent } from './event.ts';
import { eventFor, type PageAddresses, type StoredEvent } from './event-words.ts';
import { passedData } from './outgoing.ts';
import type { Target } from './target.ts';

/** An event with what is noted of its license. */
export interface KnownEvent {
  readonly event: StoredEvent;
  readonly customer: string | null;
  readonly email: string | null;
}

/** Events of one digest. */
export const DIGEST_EVENTS_MAX = 200;

/** Whether several events go to a target as one message. */
export const isDigested = ({ kind }: Pick<Target, 'kind'>): boolean => kind === 'mail';

/** What a target receives of some events, at least one. */
export function messageTo(
  target: Pick<Target, 'isPersonalIncluded' | 'licenseId'>,
  [first, ...others]: readonly [KnownEvent, ...KnownEvent[]],
  addresses: PageAddresses,
): Message {
  const isTenant = target.licenseId !== null;
  // What operators note of a customer, and why they act, is not for tenants.
  const isPersonalIncluded = target.isPersonalIncluded && !isTenant;
  const shown = ({ event, customer, email }: KnownEvent): NotificationEvent => {
    const { personal, ...known } = eventFor(event, { isTenant, addresses });
    const whose = { ...personal, ...(customer ? { customer } : {}), ...(email ? { email } : {}) };
    return {
      ...known,
      data: passedData(known.data),
      ...(isPersonalIncluded && Object.keys(whose).length > 0 ? { personal: whose } : {}),
    };
  };
  return { events: [shown(first), ...others.map(shown)], isPersonalIncluded };
}
