import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import { asSentence } from '../lib/sentence.ts';
import { Turns } from '../lib/turns.ts';
import type { Generations } from '../storage/engine/generations.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import { STALE } from '../storage/engine/stale.ts';
import { storeUnavailable, type Writer } from '../storage/engine/writer.ts';
import type {
  RepeatableRequest,
  RequestOutcome,
  readAdminRequests,
} from '../storage/operators/admin-requests.ts';
import type { PlannedAct, RefusedAct } from './act.ts';

/** How often an act is planned again after a concurrent change. */
const PLANS_MAX = 32;

/** An act that a program requests. */
export interface DeskAct extends PlannedAct {
  /** The outcome, in facts that may be stored for a day: neither keys nor data of customers. */
  readonly facts: RequestOutcome;
  /** Whether the constraints of the tables suffice, so that concurrent changes do not matter. */
  readonly holdsAnyway?: true;
  /** Whether it must not use the reserve of the disk. Set for what a tenant starts. */
  readonly sparesReserve?: boolean;
}

/** The outcome of an act, or that it was done earlier. */
export interface DoneAct<Plan extends DeskAct> {
  readonly facts: RequestOutcome;
  readonly notices: readonly string[];
  /** Undefined for a repeated request. */
  readonly plan: Plan | undefined;
}

/** Runs operators' acts next to tenants' requests, one after another: each changes what the others were planned on. */
export interface ActDesk {
  /**
   * Plans an act on the current database and runs it in one transaction, unless anything has changed in between: then it is
   * planned again. A repeated request is not run again.
   *
   * @param request undefined for one that may be repeated
   */
  do<Plan extends DeskAct>(
    request: RepeatableRequest | undefined,
    now: number,
    plan: () => Plan | RefusedAct | Promise<Plan | RefusedAct>,
  ): Promise<DoneAct<Plan> | Refusal>;
}

export interface DeskParts {
  readonly writer: Pick<Writer, 'change'>;
  /** Of this moment or a later one. */
  readonly generations: () => Awaitable<Generations>;
  /** Waits, after the commit of an act, until no process answers from the state before it. */
  readonly cachesExpired: () => Awaitable<void>;
  readonly findRequest: ReturnType<typeof readAdminRequests>;
}

export function createActDesk({ writer, generations, cachesExpired, findRequest }: DeskParts): ActDesk {
  const keeping = (request: RepeatableRequest, { facts, notices = [] }: DeskAct, doneAt: number): Job => ({
    name: 'keepAdminRequest',
    input: { ...request, outcome: { facts, notices }, doneAt },
  });

  const turns = new Turns();
  const inTurn: ActDesk['do'] = async (request, now, plan) => {
    for (let plans = 0; plans < PLANS_MAX; plans += 1) {
      const plannedAt = await generations();
      const before = request && (await findRequest(request, now));
      if (before) return before.bodyHash === request?.bodyHash ? doneBefore(before.outcome) : reused();
      const planned = await plan();
      if ('refused' in planned) return refusalOf(planned);
      const jobs = [...planned.jobs, ...(request ? [keeping(request, planned, now)] : [])];
      const outputs =
        jobs.length === 0
          ? []
          : await writer.change({
              jobs,
              plannedAt: planned.holdsAnyway ? undefined : plannedAt,
              sparesReserve: planned.sparesReserve,
            });
      if (outputs === STALE) continue;
      if (isRefusal(outputs)) return outputs;
      return { facts: planned.facts, notices: planned.notices ?? [], plan: planned };
    }
    return storeUnavailable();
  };
  return {
    async do(request, now, plan) {
      const done = await turns.take(() => inTurn(request, now, plan));
      // Outside its turn, so that acts at once wait together.
      if (!isRefusal(done)) await cachesExpired();
      return done;
    },
  };
}

function doneBefore(outcome: RequestOutcome) {
  const { facts, notices } = outcome as { facts: RequestOutcome; notices: readonly string[] };
  return { facts, notices, plan: undefined };
}

const reused = () =>
  refuse('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was sent with another body within 24 hours.');

const refusalOf = ({ refused, code = 'ACT_REFUSED', licenseId }: RefusedAct): Refusal => ({
  ...refuse(code, asSentence(refused)),
  ...(licenseId === undefined ? {} : { licenseId }),
});
