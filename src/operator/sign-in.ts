import { ACTOR_NAME } from '../domain/admin/actor-name.ts';
import { hashBearerSecret, newBearerSecret } from '../domain/admin/bearer-secret.ts';
import { CODE_MS, preparedPassword, type Role, SESSION_MS } from '../domain/admin/operator.ts';
import { hashRecoveryCode } from '../domain/admin/recovery-code.ts';
import { openSecret } from '../domain/admin/sealed-secret.ts';
import type { TryKind } from '../domain/admin/sign-in-tries.ts';
import { isTotpCode, matchingStep } from '../domain/admin/totp.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import { isRefusal, notRefused, type Refusal, refuse } from '../domain/refusal.ts';
import { type After, type Clock, SECOND_MS } from '../lib/clock.ts';
import { hashPassword, isPassword } from '../lib/password-hash.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { removeInvisible } from '../lib/trim-invisible.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { AuditedFacts } from '../storage/operators/audit.ts';
import type { NewSession } from '../storage/operators/operator-jobs.ts';
import type { Operator, OperatorSession, readOperators } from '../storage/operators/operators.ts';
import { type readSecondFactor, wrongCode } from '../storage/operators/second-factors.ts';
import { type Act, audited, type PlannedAct } from './act.ts';
import type { ActDesk } from './act-desk.ts';
import { createFailureLog } from './failure-log.ts';
import { operatorSubject } from './operators.ts';

const PER_ADDRESS_AND_MINUTE = 10;

export interface SignInParts {
  readonly operators: ReturnType<typeof readOperators>;
  readonly secondFactorOf: ReturnType<typeof readSecondFactor>;
  readonly identities: Pick<DerivedIdentities, 'secondFactorKey' | 'signInPlace'>;
  readonly desk: ActDesk;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly after: After;
}

/** Who asks, from where. */
export interface Asking {
  /** As limits count it. */
  readonly address: string;
  readonly requestId: string | undefined;
  /** Logs that it failed. */
  readonly noteFailure?: () => void;
}

export interface Attempt extends Asking {
  readonly name: string;
  readonly password: string;
  /** Whether it comes with a session of the same name that lasts: such a one is never made to wait. */
  readonly hasSession: boolean;
}

/** A session that begins. */
export interface Begun {
  /** Nowhere else. */
  readonly token: string;
  /** Whether a code is to be given first; it opens nothing until then. */
  readonly awaitsCode: boolean;
}

/** The job that takes a code, and what it was. */
interface TakenCode {
  readonly job: Job;
  readonly factor: 'totp' | 'recovery';
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Lets operators in by their passwords and sessions. Every attempt is in the audit log. */
export function createSignIn({
  operators,
  secondFactorOf,
  identities,
  desk,
  writer,
  clock,
  after,
}: SignInParts) {
  const addresses = new TokenBuckets(PER_ADDRESS_AND_MINUTE, new BucketRoom(clock.monotonic));
  /**
   * Passwords count by name and address, so that a guesser delays no one elsewhere; unknown names count separately, because
   * they must not displace known ones. Codes count by name alone: each of their guessers knows the password, and could use many
   * addresses.
   */
  const placeOf = (kind: TryKind, ...what: readonly string[]) => identities.signInPlace(kind, ...what);
  /**
   * Counts a try, for all nodes.
   *
   * @returns how long it has to wait
   * @throws Refusal
   */
  const noteTry = async (place: string, kind: TryKind, isExempt = false): Promise<number> => {
    return notRefused(await writer.write('countSignInTry', { place, kind, isExempt, now: clock.now() }));
  };
  /** @throws Refusal */
  const correct = async (name: 'forgetSignInTries' | 'takeBackSignInTry', place: string): Promise<void> => {
    notRefused(await writer.write(name, { place }));
  };

  const failureLog = createFailureLog({
    after,
    async write(failed) {
      notRefused(await writer.write('audit', { at: clock.now(), ...failed }));
    },
  });

  /** A typed name may be a password, so only an existing name is stored. */
  const auditFailure = (
    found: Operator | undefined,
    { requestId, noteFailure }: Asking,
    facts?: AuditedFacts,
  ): Promise<void> => {
    noteFailure?.();
    return failureLog.note({
      actor: 'system',
      requestId,
      action: 'operator.sign-in-failed',
      subject: found ? operatorSubject(found.name) : null,
      ...(facts ? { after: facts } : {}),
    });
  };

  /**
   * @param unit an address, or an operator who has proved a password: strangers at the same address use up nothing of theirs
   * @throws Refusal
   */
  const drawFrom = (unit: string): void => {
    const { allowed, retryAfterSeconds } = addresses.take(unit);
    if (!allowed) throw tooMany(retryAfterSeconds);
  };
  /** @throws Refusal that tells how long a name has to wait; the audit log has the try as well */
  const refuseWaiting = async (
    found: Operator | undefined,
    waitMs: number,
    asking: Asking,
    after?: AuditedFacts,
  ): Promise<never> => {
    await auditFailure(found, asking, after);
    throw tooMany(Math.ceil(waitMs / SECOND_MS));
  };

  /** @throws Refusal */
  const check = async ({ name, password, hasSession, ...asking }: Attempt) => {
    drawFrom(hasSession ? `operator:${name}` : asking.address);
    const isName = ACTOR_NAME.test(name);
    const found = isName ? await operators.findByName(name) : undefined;
    const kind = found ? 'known' : 'unknown';
    const place = placeOf(kind, name, asking.address);
    // Before the password is checked, so that simultaneous attempts count too; a right one uncounts it.
    const waitMs = isName ? await noteTry(place, kind, hasSession) : 0;
    if (waitMs > 0) await refuseWaiting(found, waitMs, asking);
    const passwordHash = found?.disabledAt === null ? found.passwordHash : null;
    const isRight = await isPassword(preparedPassword(password), passwordHash ?? undefined);
    if (isRight === undefined) throw busy();
    if (isRight && found && passwordHash !== null) {
      await correct('forgetSignInTries', place);
      return { operator: found, passwordHash };
    }
    await auditFailure(found, asking);
    throw refuse('UNAUTHORIZED', 'Wrong name or password.');
  };

  const begin = async (
    operator: Operator,
    plan: (act: Act, tokenHash: string) => PlannedAct,
    asking: Asking,
  ): Promise<Begun> => {
    const { secret: token, secretHash: tokenHash } = newBearerSecret();
    const now = clock.now();
    const act: Act = { actor: `operator:${operator.name}`, requestId: asking.requestId, now };
    notRefused(await desk.do(undefined, now, () => ({ ...plan(act, tokenHash), facts: {} })));
    return { token, awaitsCode: operator.hasSecondFactor };
  };
  const sessionJob = (session: NewSession) => ({ name: 'startSession', input: session }) as const;

  const taking = async ({ id, name }: Operator, typed: string): Promise<TakenCode | Refusal> => {
    const codeHash = hashRecoveryCode(typed);
    if (codeHash !== undefined)
      return { job: { name: 'takeRecoveryCode', input: { id, codeHash } }, factor: 'recovery' };
    const code = removeInvisible(typed);
    const { sealed, lastStep } = (await secondFactorOf(id)) ?? {};
    if (!isTotpCode(code) || !sealed) return wrongCode();
    const secret = openSecret(identities.secondFactorKey, id, sealed);
    if (secret === undefined)
      return refuse(
        'ACT_REFUSED',
        `The installation key has changed, so codes cannot be checked. Use a recovery code, or ask an owner to run "redoubt operator reset-2fa ${name}".`,
      );
    const step = matchingStep(secret, code, clock.now(), lastStep ?? null);
    return step === undefined
      ? wrongCode()
      : { job: { name: 'takeTotpStep', input: { id, step } }, factor: 'totp' };
  };

  /** Runs an act that needs a code of its operator, in the transaction that accepts the code. */
  const withCode = async (
    operator: Operator,
    code: string,
    asking: Asking,
    plan: (act: Act, taken: TakenCode) => PlannedAct,
  ): Promise<void> => {
    const { name } = operator;
    drawFrom(`operator:${name}`);
    const failed = { second_factor: 'wrong' };
    const place = placeOf('codes', name);
    const waitMs = await noteTry(place, 'codes');
    if (waitMs > 0) await refuseWaiting(operator, waitMs, asking, failed);
    const taken = await taking(operator, code);
    const act: Act = { actor: `operator:${name}`, requestId: asking.requestId, now: clock.now() };
    const done = isRefusal(taken)
      ? taken
      : await desk.do(undefined, act.now, () => ({ ...plan(act, taken), facts: {}, holdsAnyway: true }));
    if (!isRefusal(done)) await correct('forgetSignInTries', place);
    else if (done.refused === 'UNAUTHORIZED') await auditFailure(operator, asking, failed);
    else await correct('takeBackSignInTry', place);
    if (isRefusal(done)) throw done;
  };
  const within = (lastsMs: number) => {
    const now = clock.now();
    return { startedAfter: now - lastsMs, now };
  };

  return {
    /**
     * Begins a session.
     *
     * @throws Refusal
     */
    async signIn(attempt: Attempt): Promise<Begun> {
      const { operator, passwordHash } = await check(attempt);
      const subject = operatorSubject(operator.name);
      return begin(
        operator,
        (act, tokenHash) => {
          const awaitsCode = operator.hasSecondFactor;
          const job = sessionJob({
            operatorId: operator.id,
            tokenHash,
            passwordHash,
            awaitsCode,
            now: act.now,
          });
          return awaitsCode ? { jobs: [job] } : audited(act, 'operator.sign-in', subject, [job]);
        },
        attempt,
      );
    },

    /** Who has given the password with a session that waits for a code. */
    waiting: async (token: string): Promise<Operator | undefined> =>
      (await operators.findWaiting(hashBearerSecret(token), within(CODE_MS)))?.operator,

    /**
     * Begins a session in place of one that waits for a code.
     *
     * @returns its token
     * @throws Refusal
     */
    async enter(waiting: string, operator: Operator, code: string, asking: Asking): Promise<string> {
      const { secret: token, secretHash: tokenHash } = newBearerSecret();
      const waitingHash = hashBearerSecret(waiting);
      await withCode(operator, code, asking, (act, { job, factor }) => {
        const input = { waitingHash, tokenHash, startedAfter: act.now - CODE_MS, now: act.now };
        const jobs: Job[] = [{ name: 'enterSession', input }, job];
        const after = { second_factor: factor };
        return audited(act, 'operator.sign-in', operatorSubject(operator.name), jobs, { after });
      });
      return token;
    },

    withCode,

    /**
     * Counts an attempt of an address or of a session.
     *
     * @throws Refusal
     */
    drawFrom,

    /** Audits an attempt that failed. */
    auditFailure,

    /**
     * Takes the password of an operator again. The session's rights grow, so it gets a new token.
     *
     * @returns its new token
     * @throws Refusal
     */
    async confirm(token: string, attempt: Attempt): Promise<string> {
      await check(attempt);
      const { secret, secretHash: renewedHash } = newBearerSecret();
      const input = { tokenHash: hashBearerSecret(token), renewedHash, now: clock.now() };
      notRefused(await writer.write('confirmSession', input));
      return secret;
    },

    /** Who may choose a password at a link that still works. */
    invited: (secret: string): Promise<Operator | undefined> =>
      operators.findByLink(hashBearerSecret(secret), clock.now()),

    /**
     * Sets a password at a link, which then works no more, and signs in.
     *
     * @param password one without a problem
     * @throws Refusal
     */
    async choosePassword(
      secret: string,
      operator: Operator,
      password: string,
      asking: Asking,
    ): Promise<Begun> {
      const passwordHash = await hashPassword(preparedPassword(password));
      if (passwordHash === undefined) throw busy();
      const { id, name, hasSecondFactor: awaitsCode } = operator;
      return begin(
        operator,
        (act, hash) =>
          audited(act, 'operator.password', operatorSubject(name), [
            { name: 'setOperatorPassword', input: { id, passwordHash, linkHash: hashBearerSecret(secret) } },
            sessionJob({ operatorId: id, tokenHash: hash, passwordHash, awaitsCode, now: act.now }),
          ]),
        asking,
      );
    },

    /** The session that a token holds. */
    async sessionOf(token: string): Promise<OperatorSession | undefined> {
      return operators.findSession(hashBearerSecret(token), within(SESSION_MS));
    },

    /** The job that refuses a change unless a session is valid and has one of some roles. */
    required: (token: string, roles: readonly Role[]): Job => ({
      name: 'requireSession',
      input: { tokenHash: hashBearerSecret(token), ...within(SESSION_MS), roles },
    }),

    /** Writes the failed tries that are counted so far. */
    flushFailures: failureLog.flush,

    /** @throws Refusal */
    async signOut(token: string): Promise<void> {
      notRefused(await writer.write('endSession', { tokenHash: hashBearerSecret(token) }));
    },
  };
}

const tooMany = (retryAfterSeconds: number): Refusal =>
  refuse(
    'RATE_LIMITED',
    `Too many attempts. Wait ${retryAfterSeconds} seconds, then try again.`,
    retryAfterSeconds,
  );

const busy = (): Refusal =>
  refuse('STORE_UNAVAILABLE', 'Too many people are signing in. Try again in a moment.', 1);
