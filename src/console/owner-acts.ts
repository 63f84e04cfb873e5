import { Elysia } from 'elysia';
import type { ActDefinition, PlannedFacts } from '../acts/act.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { goTo } from '../pages/html.tsx';
import { createFormAct, type Done } from './act.ts';
import { createConfirmation } from './confirm.tsx';
import { acting, type ConsoleParts, type Visit } from './visit.ts';

type OwnerAct<Target, Plan extends PlannedFacts> = ActDefinition<
  Target,
  Readonly<Record<string, unknown>>,
  Plan
>;

/** What owners do at one page. */
export interface OwnerActs<Target, Plan extends PlannedFacts> {
  readonly path: string;
  readonly acts: readonly OwnerAct<Target, Plan>[];
  /** @throws Refusal */
  find(form: Form): Target | Promise<Target>;
  /** The page, with what was typed and why it was refused. */
  refused(visit: Visit, verb: string, form: Form, refusal: Refusal): Promise<Response>;
  /** Leaves what the page after it shows. */
  done(visit: Visit, act: OwnerAct<Target, Plan>, form: Form, done: Done<Plan>): void;
}

/** Mounts acts for owners, who give their password again for them. */
export function ownerActs<Target, Plan extends PlannedFacts>(
  parts: ConsoleParts,
  { path, acts, find, refused, done }: OwnerActs<Target, Plan>,
) {
  const confirmation = createConfirmation(parts);
  const acted = (definition: OwnerAct<Target, Plan>) => {
    const act = createFormAct(parts, definition, 'owner');
    return acting(parts, 'owner', async (visit, form) => {
      const asked = await confirmation(visit, `${path}/${definition.verb}`, form);
      if (asked) return asked;
      const outcome = await act(visit, form, () => find(form));
      if (isRefusal(outcome)) return refused(visit, definition.verb, form, outcome);
      done(visit, definition, form, outcome);
      return goTo(visit.set, path);
    });
  };
  return acts.map((each) =>
    new Elysia().post(`${path}/${each.verb}`, acted(each) as () => Promise<Response>),
  );
}
