import { type ActDefinition, type ActParts, forDesk, type PlannedFacts, roleFor } from '../acts/act.ts';
import { REASON } from '../acts/form.tsx';
import { formReader } from '../acts/form-body.ts';
import { hasRole, ROLES, type Role } from '../domain/admin/operator.ts';
import { customerNote, customerNoteRule } from '../domain/license/customer.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { requestIdOf } from '../http/context.ts';
import type { Form } from '../http/form.ts';
import { asSentence } from '../lib/sentence.ts';
import { type Act, type PlannedAct, REASON_CHARACTERS_MAX, type RefusedAct } from '../operator/act.ts';
import type { DoneAct } from '../operator/act-desk.ts';
import type { Notice } from '../pages/notices.ts';
import type { ActingParts } from '../routes/admin/fields/act.ts';
import type { Parts } from '../routes/parts.ts';
import type { RequestOutcome } from '../storage/operators/admin-requests.ts';
import { TEXTS } from './texts.ts';
import { requireRole, type Visit, type VisitParts } from './visit.ts';

/** Returns the notice for the next page. */
export const noticeOf = (
  { notices, plan }: DoneAct<PlannedAct & { readonly facts: RequestOutcome }>,
  shown: Omit<Notice, 'more' | 'words'> & { readonly words?: string } = {},
): Notice => {
  const sentences = notices.map(asSentence);
  const [first = TEXTS.done, ...others] = plan?.jobs.length === 0 ? sentences : [TEXTS.done, ...sentences];
  return { words: first, more: others, ...shown };
};

/** A submitted form, with the plan of its act. */
export interface FormAct<Plan extends PlannedAct> {
  readonly form: Form;
  /** The minimum role, checked again in the transaction. */
  readonly role: Role;
  readonly isReasonRequired?: boolean;
  plan(by: Act): Plan | RefusedAct | Promise<Plan | RefusedAct>;
}

/** The result of an act. */
export type Done<Plan extends PlannedAct> = DoneAct<Plan & { readonly facts: RequestOutcome }>;

export type FormParts = VisitParts & ActingParts & ActParts;

/** Returns a function that runs acts in the name of the signed-in operator. */
export const createActs =
  ({ desk, signIn, clock }: ActingParts & Pick<VisitParts, 'signIn'>) =>
  async <Plan extends PlannedAct>(
    visit: Visit,
    { form, role, isReasonRequired = false, plan }: FormAct<Plan>,
  ): Promise<Done<Plan> | Refusal> => {
    const by = actOf(clock, visit, form, isReasonRequired);
    if (isRefusal(by)) return by;
    const roles = ROLES.filter((each) => hasRole(each, role));
    return desk.do(undefined, by.now, async () => {
      const planned = await plan(by);
      if ('refused' in planned) return planned;
      const jobs = planned.jobs.length === 0 ? [] : [signIn.required(visit.token, roles), ...planned.jobs];
      return { ...planned, jobs, facts: {} };
    });
  };

/**
 * Returns a function that runs an act submitted as a form. Its parameter `find` finds the target within the transaction.
 *
 * @param ofPage the minimum role, if the act has none
 */
export function createFormAct<Target, Plan extends PlannedFacts>(
  parts: FormParts,
  definition: ActDefinition<Target, Readonly<Record<string, unknown>>, Plan>,
  ofPage: Role = 'operator',
) {
  const act = createActs(parts);
  const read = formReader(definition);
  return async (visit: Visit, form: Form, find: () => Target | Promise<Target>) => {
    const role = roleFor(definition, form, ofPage);
    requireRole(visit, role);
    try {
      return await act(visit, {
        form,
        role,
        isReasonRequired: definition.isReasonRequired === true,
        async plan(by) {
          const target = await find();
          return forDesk(definition, await definition.plan(target, read(form, parts.config), by, parts));
        },
      });
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  };
}

/** Returns actor, reason and time of a form. */
export function actOf(
  clock: Parts<'clock'>['clock'],
  visit: Visit,
  form: Form,
  isReasonRequired = false,
): Act | Refusal {
  const reason = reasonIn(form, isReasonRequired);
  if (isRefusal(reason)) return reason;
  const actor = `operator:${visit.operator.name}` as const;
  return { actor, reason, requestId: requestIdOf(visit), now: clock.now() };
}

function reasonIn({ reason = '' }: Form, isRequired: boolean): string | undefined | Refusal {
  const typed = reason.trim();
  if (typed === '')
    return isRequired ? refuse('INVALID_PAYLOAD', `${REASON}: ${TEXTS.reasonNeeded}`) : undefined;
  return (
    customerNote(typed, REASON_CHARACTERS_MAX) ??
    refuse('INVALID_PAYLOAD', `${REASON}: ${customerNoteRule(REASON_CHARACTERS_MAX)}`)
  );
}
