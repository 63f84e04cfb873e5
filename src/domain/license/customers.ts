import { canonicalEmail } from './email.ts';

/** The data that identifies a license's customer. */
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

interface Group {
  readonly marks: CustomerMarks[];
  readonly keys: Set<string>;
}

const keysOf = ({ customer, email, payer }: CustomerMarks): string[] => [
  ...(customer === null ? [] : [`name ${customer.toLowerCase()}`]),
  ...(email === null ? [] : [`mailbox ${canonicalEmail(email) ?? email}`]),
  ...(payer === null ? [] : [`payer ${payer}`]),
];

/**
 * Groups licenses by customer: those that share a name, a mailbox or a payer, also indirectly. A license without any of these
 * has no customer. Licenses are added one at a time, because there may be very many.
 */
export class CustomerGroups {
  readonly #byKey = new Map<string, Group>();

  add(marks: CustomerMarks): void {
    const keys = keysOf(marks);
    if (keys.length === 0) return;
    const known = new Set(keys.flatMap((key) => this.#byKey.get(key) ?? []));
    // The smaller ones join the largest, so that none is moved often.
    const [into = { marks: [], keys: new Set<string>() }, ...others] = [...known].sort(
      (one, other) => other.marks.length - one.marks.length,
    );
    into.marks.push(marks);
    for (const other of others) for (const each of other.marks) into.marks.push(each);
    for (const key of [...keys, ...others.flatMap((other) => [...other.keys])]) {
      into.keys.add(key);
      this.#byKey.set(key, into);
    }
  }

  /** One after another, in no order. */
  *customers(): Iterable<Customer> {
    for (const { marks } of new Set(this.#byKey.values())) {
      const licenses = marks.length === 1 ? marks : marks.sort((one, other) => one.id - other.id);
      const firstOf = (name: 'customer' | 'email' | 'payer') =>
        licenses.find((each) => each[name] !== null)?.[name] ?? null;
      const email = firstOf('email');
      yield {
        name: firstOf('customer') ?? email ?? firstOf('payer') ?? '',
        email,
        licenses: licenses.map(({ id }) => id),
      };
    }
  }
}
