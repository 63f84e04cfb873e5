import { canonicalEmail } from './email.ts';

/** What says whose a license is. */
export interface CustomerMarks {
  readonly id: number;
  readonly customer: string | null;
  readonly email: string | null;
  /** The customer of its subscription, as the payment processor names it. */
  readonly payer: string | null;
}

/** Licenses of one customer. */
export interface Customer {
  /** Of the first license that has one; else a mailbox, else the payment processor's. */
  readonly name: string;
  readonly email: string | null;
  /** In the order of their ids. */
  readonly licenses: readonly number[];
}

const keysOf = ({ customer, email, payer }: CustomerMarks): string[] => [
  ...(customer === null ? [] : [`name ${customer.toLowerCase()}`]),
  ...(email === null ? [] : [`mailbox ${canonicalEmail(email) ?? email}`]),
  ...(payer === null ? [] : [`payer ${payer}`]),
];

/**
 * Groups licenses by customer: those that share a name, a mailbox or a payer, also by way of others. A license without any of these
 * has no customer.
 *
 * @param marks in the order of their ids
 */
export function groupCustomers(marks: readonly CustomerMarks[]): Customer[] {
  const parents = marks.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root] ?? root] ?? root;
      root = parents[root] ?? root;
    }
    return root;
  };
  const firstWith = new Map<string, number>();
  for (const [at, each] of marks.entries())
    for (const key of keysOf(each)) {
      const first = firstWith.get(key);
      if (first === undefined) firstWith.set(key, at);
      else {
        const [one, other] = [rootOf(first), rootOf(at)];
        parents[Math.max(one, other)] = Math.min(one, other);
      }
    }
  const marked = marks.flatMap((each, at) => (keysOf(each).length === 0 ? [] : { each, root: rootOf(at) }));
  return [...Map.groupBy(marked, ({ root }) => root).values()].map((group) => {
    const licenses = group.map(({ each }) => each);
    const firstOf = (name: 'customer' | 'email' | 'payer') =>
      licenses.find((each) => each[name] !== null)?.[name] ?? null;
    const email = firstOf('email');
    return {
      name: firstOf('customer') ?? email ?? firstOf('payer') ?? '',
      email,
      licenses: licenses.map(({ id }) => id),
    };
  });
}
