import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';

/** Subjects of states. */
export type NotedKind = 'alert' | 'refused' | 'site' | 'sweep' | 'system';

/** Notes states, so that a transition is recorded once however many nodes see it. */
export const prepareNoted = perDatabase((db: Database) => {
  const set = prepare<{ state: string }>(
    db,
    `
    insert into noted_states (kind, key, state, noted_at) values (:kind, :key, :state, :now)
      on conflict (kind, key) do update set state = excluded.state, noted_at = excluded.noted_at
        where noted_states.state <> excluded.state
      returning state
    `,
  );
  const add = prepare<{ state: string }>(
    db,
    `
    insert into noted_states (kind, key, state, noted_at) values (:kind, :key, :state, :now)
      on conflict (kind, key) do nothing returning state
    `,
  );
  const get = prepare<{ state: string }>(
    db,
    'select state from noted_states where kind = :kind and key = :key',
  );
  const remove = prepare<{ state: string }>(
    db,
    'delete from noted_states where kind = :kind and key = :key returning state',
  );

  return {
    /** Notes a state; returns whether it changed. */
    note: async (kind: NotedKind, key: string, state: string, now: number): Promise<boolean> =>
      (await set.get({ kind, key, state, now })) !== undefined,

    /** Notes a state unless there is one; returns whether it was stored. */
    noteFirst: async (kind: NotedKind, key: string, state: string, now: number): Promise<boolean> =>
      (await add.get({ kind, key, state, now })) !== undefined,

    /** Undefined = no state is stored. */
    stateOf: async (kind: NotedKind, key: string): Promise<string | undefined> =>
      (await get.get({ kind, key }))?.state,

    /** Deletes a state; returns it. */
    drop: async (kind: NotedKind, key: string): Promise<string | undefined> =>
      (await remove.get({ kind, key }))?.state,
  };
});

/** Reads the states of a kind, ordered by key, after a key. */
export function readNoted(
  db: Database,
): (kind: NotedKind, after: string, limit: number) => Promise<{ key: string; state: string }[]> {
  const some = prepare<{ key: string; state: string }>(
    db,
    'select key, state from noted_states where kind = :kind and key > :after order by key limit :limit',
  );
  return async (kind, after, limit) => some.all({ kind, after, limit });
}
