import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { operatorRecoveryCodes, operators } from './tables.ts';

/** What an operator's codes are checked by. */
export interface SecondFactor {
  /** The sealed secret; null = none was made. */
  readonly sealed: string | null;
  /** Null = it was not proved yet, and nothing asks for a code. */
  readonly confirmedAt: number | null;
  /** The last period of which a code was taken. */
  readonly lastStep: number | null;
}

/** Reads the second factor of an operator. */
export function readSecondFactor(db: Database) {
  const byId = lazily(() =>
    db
      .select({
        sealed: operators.totpSecret,
        confirmedAt: operators.totpConfirmedAt,
        lastStep: operators.totpLastStep,
      })
      .from(operators)
      .where(eq(operators.id, sql.placeholder('id')))
      .prepare(),
  );
  return async (id: number): Promise<SecondFactor | undefined> => byId.get({ id });
}

/** A secret that its operator has proved to have, by the code of a period. */
export interface ProvedSecret {
  readonly id: number;
  readonly sealed: string;
  readonly step: number;
  readonly now: number;
  readonly codeHashes: readonly string[];
}

export function secondFactorJobs(db: Database) {
  const change = async (
    id: number,
    facts: Partial<typeof operators.$inferInsert>,
    ...where: Parameters<typeof and>
  ): Promise<boolean> =>
    Number(
      (
        await db
          .update(operators)
          .set(facts)
          .where(and(eq(operators.id, id), ...where))
          .run()
      ).changes,
    ) > 0;
  const forgetCodes = async (id: number): Promise<void> => {
    await db.delete(operatorRecoveryCodes).where(eq(operatorRecoveryCodes.operatorId, id)).run();
  };
  const keepCodes = async (operatorId: number, codeHashes: readonly string[]): Promise<void> => {
    await forgetCodes(operatorId);
    await db
      .insert(operatorRecoveryCodes)
      .values(codeHashes.map((codeHash) => ({ operatorId, codeHash })))
      .run();
  };

  return {
    /** Keeps a secret that is to be proved, in place of an earlier one that was not. */
    setTotpSecret: async ({ id, sealed }: { id: number; sealed: string }): Promise<Refusal | undefined> =>
      (await change(id, { totpSecret: sealed }, isNull(operators.totpConfirmedAt))) ? undefined : isOn(),

    /** Asks for codes from now on; the one that proved the secret is not good again. */
    async confirmTotp({ id, sealed, step, now, codeHashes }: ProvedSecret): Promise<Refusal | undefined> {
      const isThis = and(eq(operators.totpSecret, sealed), isNull(operators.totpConfirmedAt));
      if (!(await change(id, { totpConfirmedAt: now, totpLastStep: step }, isThis))) return isOn();
      await keepCodes(id, codeHashes);
      return undefined;
    },

    /** Puts other recovery codes in place of those of before. */
    async replaceRecoveryCodes({
      id,
      codeHashes,
    }: Pick<ProvedSecret, 'id' | 'codeHashes'>): Promise<Refusal | undefined> {
      const isOnNow = and(eq(operators.id, id), isNotNull(operators.totpConfirmedAt));
      if ((await db.select({ id: operators.id }).from(operators).where(isOnNow).get()) === undefined)
        return refuse('ACT_REFUSED', 'The second factor is not set up.');
      await keepCodes(id, codeHashes);
      return undefined;
    },

    /** Takes the code of a period, if none of it or of a later one was taken. */
    takeTotpStep: async ({ id, step }: { id: number; step: number }): Promise<Refusal | undefined> =>
      (await change(
        id,
        { totpLastStep: step },
        isNotNull(operators.totpConfirmedAt),
        or(isNull(operators.totpLastStep), lt(operators.totpLastStep, step)),
      ))
        ? undefined
        : wrongCode(),

    /** Takes a recovery code, once. */
    async takeRecoveryCode({ id, codeHash }: { id: number; codeHash: string }): Promise<Refusal | undefined> {
      const isIt = and(
        eq(operatorRecoveryCodes.operatorId, id),
        eq(operatorRecoveryCodes.codeHash, codeHash),
      );
      return Number((await db.delete(operatorRecoveryCodes).where(isIt).run()).changes) > 0
        ? undefined
        : wrongCode();
    },

    /** Asks an operator for codes no more. */
    async clearSecondFactor({ id }: { id: number }): Promise<void> {
      await change(id, { totpSecret: null, totpConfirmedAt: null, totpLastStep: null });
      await forgetCodes(id);
    },
  };
}

const isOn = (): Refusal =>
  refuse('ACT_REFUSED', 'Another secret was created in the meantime, or the second factor is already on.');

/** Also for one that was taken before: which of the two it is helps nobody but a guesser. */
export const wrongCode = (): Refusal => refuse('UNAUTHORIZED', 'The code is wrong or was already used.');
