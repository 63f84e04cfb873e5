import { type ActDefinition, type PlannedFacts, roleFor } from '../acts/act.ts';
import type { TypedAct } from '../acts/form.tsx';
import type { Role } from '../domain/admin/operator.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { postAt } from '../http/route/endpoint.ts';
import { goTo } from '../pages/html.tsx';
import type { Parts } from '../routes/parts.ts';
import { createFormAct, type Done, type FormParts } from './act.ts';
import { createConfirmation } from './confirm.tsx';
import { acting, type Visit } from './visit.ts';

type PageAct<Target, Plan extends PlannedFacts> = ActDefinition<
  Target,
  Readonly<Record<string, unknown>>,
  Plan
>;

/** A refused form, which the page shows again. */
export interface RefusedForm extends TypedAct {
  readonly refusal: Refusal;
}

export type PageActParts = FormParts & Parts<'addressOf' | 'noteFailedSignIn'>;

/** The acts of one page. */
export interface PageActs<Target, Plan extends PlannedFacts> {
  readonly path: string;
  /** The role for acts without their own. `owner`: acts must be confirmed with the password. */
  readonly role: Role;
  readonly acts: readonly PageAct<Target, Plan>[];
  /** @throws Refusal */
  find(form: Form, visit: Visit): Target | Promise<Target>;
  /** Shows the page with the refused form. */
  refused(visit: Visit, refused: RefusedForm): Promise<Response>;
  /**
   * Stores a notice for the next page.
   *
   * @returns the path of that page; undefined = `path`
   */
  done(
    visit: Visit,
    act: PageAct<Target, Plan>,
    form: Form,
    done: Done<Plan>,
  ): string | undefined | Promise<string | undefined>;
}

/** Returns the endpoints of the acts of a page. */
export function pageActs<Target, Plan extends PlannedFacts>(
  parts: PageActParts,
  { path, role, acts, find, refused, done }: PageActs<Target, Plan>,
) {
  const confirmation = role === 'owner' ? createConfirmation(parts) : undefined;
  const acted = (definition: PageAct<Target, Plan>) => {
    const { verb } = definition;
    const act = createFormAct(parts, definition, role);
    return acting(parts, roleFor(definition, {}, role), async (visit, form) => {
      const asked = await confirmation?.(visit, `${path}/${verb}`, form);
      if (asked) return asked;
      const outcome = await act(visit, form, () => find(form, visit));
      if (isRefusal(outcome)) return refused(visit, { verb, form, refusal: outcome });
      return goTo(visit.set, (await done(visit, definition, form, outcome)) ?? path);
    });
  };
  return acts.map((each) => postAt(`${path}/${each.verb}`, acted(each)));
}
