import { and, inArray, isNotNull } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { licenses } from './tables.ts';

/** Reads the customers of a few licenses; omits licenses without one. */
export async function readCustomerNames(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { id, customer } = licenses;
  const found = await db
    .select({ id, customer })
    .from(licenses)
    .where(and(inArray(id, [...new Set(ids)]), isNotNull(customer)))
    .all();
  return new Map(found.map((each) => [each.id, each.customer ?? '']));
}
