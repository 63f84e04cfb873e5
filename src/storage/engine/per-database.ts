import type { Database } from './database.ts';

/** Makes something of a database once: jobs that build on the same one share its prepared statements. */
export function perDatabase<Made>(make: (db: Database) => Made): (db: Database) => Made {
  const made = new WeakMap<Database, Made>();
  return (db) => {
    const known = made.get(db) ?? make(db);
    made.set(db, known);
    return known;
  };
}
