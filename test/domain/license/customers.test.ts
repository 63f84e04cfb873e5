import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CustomerGroups, type CustomerMarks } from '../../../src/domain/license/customers.ts';

const marks = (id: number, customer?: string, email?: string, payer?: string): CustomerMarks => ({
  id,
  customer: customer ?? null,
  email: email ?? null,
  payer: payer ?? null,
});
function groupCustomers(all: readonly CustomerMarks[]) {
  const groups = new CustomerGroups();
  for (const each of all) groups.add(each);
  return [...groups.customers()].sort((one, other) => (one.licenses[0] ?? 0) - (other.licenses[0] ?? 0));
}
const groups = (...all: CustomerMarks[]) => groupCustomers(all).map(({ licenses }) => licenses);

test.each([
  ['a name, in any case', marks(1, 'Ann Ltd'), marks(2, 'ANN LTD')],
  ['a mailbox in any spelling', marks(1, 'Ann', 'a.nn@gmail.com'), marks(2, 'Ltd', 'Ann+x@googlemail.com')],
  ['a payer', marks(1, 'Ann', undefined, 'cus_1'), marks(2, undefined, 'x@example.com', 'cus_1')],
])('licenses that share %s are of one customer', (_, one, other) => {
  expect(groups(one, other)).toEqual([[1, 2]]);
});

test('they may share it through a third license', () => {
  expect(
    groups(marks(1, 'Ann'), marks(2, undefined, 'b@example.com'), marks(3, 'Ann', 'b@example.com')),
  ).toEqual([[1, 2, 3]]);
});

test('a name is not a mailbox, and licenses without marks are of no customer', () => {
  expect(groups(marks(1, 'b@example.com'), marks(2, undefined, 'b@example.com'), marks(3), marks(4))).toEqual(
    [[1], [2]],
  );
});

test('a customer is named by the first name, else by the mailbox, else by the payer', () => {
  const named = (...all: CustomerMarks[]) => groupCustomers(all).map(({ name }) => name);
  expect(named(marks(1, undefined, 'b@example.com'), marks(2, 'Bea', 'b@example.com'))).toEqual(['Bea']);
  expect(
    named(marks(1, undefined, 'b@example.com', 'cus_1'), marks(2, undefined, undefined, 'cus_2')),
  ).toEqual(['b@example.com', 'cus_2']);
});

test('each marked license is of exactly one customer, and licenses with one mark are of the same', () => {
  const few = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined });
  fc.assert(
    fc.property(fc.array(fc.tuple(few, few, few), { maxLength: 30 }), (all) => {
      const licenses = all.map(([name, email, payer], id) => marks(id, name, email, payer));
      const found = groupCustomers(licenses);
      const marked = licenses.filter(({ customer, email, payer }) => customer ?? email ?? payer);
      expect(found.flatMap((each) => each.licenses).sort((one, other) => one - other)).toEqual(
        marked.map(({ id }) => id),
      );
      const groupOf = (id: number) => found.findIndex((each) => each.licenses.includes(id));
      for (const one of marked)
        for (const other of marked)
          if (one.customer !== null && one.customer === other.customer)
            expect(groupOf(one.id)).toBe(groupOf(other.id));
    }),
  );
});
