import { and, desc, eq, gte, isNotNull, lt, or, sql } from 'drizzle-orm';
import { STATUS_LIST_SIZE } from '../../domain/credential/status-list.ts';
import { ownTurn } from '../../lib/own-turn.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { credentialKeys, credentials, statusLists } from './tables.ts';

/** A credential's place in the lists of revoked credentials. */
export type StatusPlace = Pick<Row<typeof credentials>, 'listId' | 'listIndex'>;

/** Half of a list stays free, so that a free place is found by chance, and neighbors reveal nothing. */
export const PLACES_TAKEN_MAX = STATUS_LIST_SIZE / 2;

/** Takes some milliseconds to read when half of the places are taken. */
const PIECE_PLACES = STATUS_LIST_SIZE / 8;

// Jobs (credential-jobs.ts) search the same in their transaction.

/** The list of an issuer with free places. */
export const prepareOpenList = (db: Database) =>
  lazily(() =>
    db
      .select({ id: statusLists.id })
      .from(statusLists)
      .where(and(eq(statusLists.issuer, sql.placeholder('issuer')), lt(statusLists.taken, PLACES_TAKEN_MAX)))
      .orderBy(desc(statusLists.id))
      .limit(1)
      .prepare(),
  );

/** Reads the lists in which verifiers look up revoked credentials, including those of former public addresses. */
export function readStatusLists(db: Database) {
  const open = prepareOpenList(db);
  const findAt = lazily(() =>
    db
      .select({ publicId: credentials.publicId, revokedAt: credentials.revokedAt })
      .from(credentials)
      .where(
        and(
          eq(credentials.listId, sql.placeholder('listId')),
          eq(credentials.listIndex, sql.placeholder('listIndex')),
        ),
      )
      .prepare(),
  );
  const find = lazily(() =>
    db
      .select({ issuer: statusLists.issuer })
      .from(statusLists)
      .where(eq(statusLists.id, sql.placeholder('id')))
      .prepare(),
  );
  const issuers = lazily(() => db.selectDistinct({ issuer: statusLists.issuer }).from(statusLists).prepare());
  const revoked = lazily(() =>
    db
      .select({ listIndex: credentials.listIndex })
      .from(credentials)
      .innerJoin(credentialKeys, eq(credentialKeys.kid, credentials.kid))
      .where(
        and(
          eq(credentials.listId, sql.placeholder('id')),
          gte(credentials.listIndex, sql.placeholder('from')),
          lt(credentials.listIndex, sql.placeholder('before')),
          or(isNotNull(credentials.revokedAt), isNotNull(credentialKeys.revokedAt)),
        ),
      )
      .orderBy(credentials.listIndex)
      .prepare(),
  );

  return {
    /** The list of an issuer with free places. */
    open: async (issuer: string): Promise<number | undefined> => (await open.get({ issuer }))?.id,

    isFree: async ({ listId, listIndex }: StatusPlace): Promise<boolean> =>
      (await findAt.get({ listId, listIndex })) === undefined,

    /** The credential at a place. */
    at: async ({ listId, listIndex }: StatusPlace) => findAt.get({ listId, listIndex }),

    /** The public address in the credentials of a list; undefined for an unknown list. */
    issuerOf: async (id: number): Promise<string | undefined> => (await find.get({ id }))?.issuer,

    /** Every public address that has a list. */
    issuers: async (): Promise<string[]> => (await issuers.all()).map(({ issuer }) => issuer),

    /** The places of a list whose credentials, or their key, were revoked, in ascending order. Read in pieces. */
    revoked: async (id: number): Promise<number[]> => {
      const places: number[] = [];
      for (let from = 0; from < STATUS_LIST_SIZE; from += PIECE_PLACES) {
        if (from > 0) await ownTurn();
        const found = await revoked.all({ id, from, before: from + PIECE_PLACES });
        for (const { listIndex } of found) places.push(listIndex);
      }
      return places;
    },
  };
}

export type StatusLists = ReturnType<typeof readStatusLists>;
