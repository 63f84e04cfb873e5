import { and, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { operatorRecoveryCodes, operators } from './tables.ts';

/** The second factor of an operator. */
export interface SecondFactor {
  /** The sealed secret; null = none. */
  readonly sealed: string | null;
  /** Null = not confirmed yet, so no code is required. */
  readonly confirmedAt: number | null;
  /** The last period with an accepted code. */
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

/** A secret confirmed by the code of a period. */
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
    /** Stores an unconfirmed secret; replaces an earlier unconfirmed one. */
    setTotpSecret: async ({ id, sealed }: { id: number; sealed: string }): Promise<Refusal | undefined> =>
      (await change(id, { totpSecret: sealed }, isNull(operators.totpConfirmedAt))) ? undefined : isOn(),

    /** Requires codes from now on; the code that confirmed the secret is not accepted again. */
    async confirmTotp({ id, sealed, step, now, codeHashes }: ProvedSecret): Promise<Refusal | undefined> {
      const isThis = and(eq(operators.totpSecret, sealed), isNull(operators.totpConfirmedAt));
      if (!(await change(id, { totpConfirmedAt: now, totpLastStep: step }, isThis))) return isOn();
      await keepCodes(id, codeHashes);
      return undefined;
    },

    /** Replaces the recovery codes. */
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

    /** Accepts the code of a period, unless one of it or of a later period was accepted. */
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

    /** Removes the second factor of an operator. */
    async clearSecondFactor({ id }: { id: number }): Promise<void> {
      await change(id, { totpSecret: null, totpConfirmedAt: null, totpLastStep: null });
      await forgetCodes(id);
    },
  };
}

const isOn = (): Refusal =>
  refuse('ACT_REFUSED', 'Another secret was created in the meantime, or the second factor is already on.');

/** Also for a used code: the difference would help only a guesser. */
export const wrongCode = (): Refusal => refuse('UNAUTHORIZED', 'The code is wrong or was already used.');
