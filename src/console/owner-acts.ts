import { Elysia } from 'elysia';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import type { Act, PlannedAct, RefusedAct } from '../operator/act.ts';
import { goTo } from '../pages/html.tsx';
import { createActs, type Done } from './act.ts';
import { createConfirmation } from './confirm.tsx';
import { acting, type ConsoleParts, type Visit } from './visit.ts';

/** Plans what a form asks for, on all that the page lists. */
export type OwnerAct<Item, Plan extends PlannedAct> = (
  all: readonly Item[],
  form: Form,
  by: Act,
) => Plan | RefusedAct;

/** What owners do at one page. */
export interface OwnerActs<Item, Plan extends PlannedAct> {
  readonly path: string;
  /** By the last piece of their paths. */
  readonly acts: Readonly<Record<string, OwnerAct<Item, Plan>>>;
  all(): Promise<readonly Item[]>;
  /** The page, with what was typed and why it was refused. */
  refused(visit: Visit, verb: string, form: Form, refusal: Refusal): Promise<Response>;
  /** Leaves what the page after it shows. */
  done(visit: Visit, form: Form, done: Done<Plan>): void;
}

/** Mounts acts for owners, who give their password again for them. */
export function ownerActs<Item, Plan extends PlannedAct>(
  parts: ConsoleParts,
  { path, acts, all, refused, done }: OwnerActs<Item, Plan>,
) {
  const act = createActs(parts);
  const confirmation = createConfirmation(parts);
  const acted = (verb: string, plan: OwnerAct<Item, Plan>) =>
    acting(parts, 'owner', async (visit, form) => {
      const asked = await confirmation(visit, `${path}/${verb}`, form);
      if (asked) return asked;
      const outcome = await act(visit, {
        form,
        role: 'owner',
        plan: async (by) => plan(await all(), form, by),
      });
      if (isRefusal(outcome)) return refused(visit, verb, form, outcome);
      done(visit, form, outcome);
      return goTo(visit.set, path);
    });
  return Object.entries(acts).map(([verb, plan]) =>
    new Elysia().post(`${path}/${verb}`, acted(verb, plan) as () => Promise<Response>),
  );
}
