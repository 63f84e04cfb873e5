import { hasRole, type Role } from '../domain/admin/operator.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import { type Act, type PlannedAct, type RefusedAct, withUnchangedNotice } from '../operator/act.ts';
import type { Config } from '../settings/config.ts';
import type { Database } from '../storage/engine/database.ts';
import type { RequestOutcome } from '../storage/operators/admin-requests.ts';
import type { FieldsOf } from './field.ts';

/** The data and settings that a plan may read. */
export interface ActParts {
  readonly db: Database;
  readonly offer: Offer;
  readonly config: Config;
  readonly identities: Pick<DerivedIdentities, 'targetKey'>;
}

/** A plan, with the facts stored for a repeated request. */
export interface PlannedFacts extends PlannedAct {
  readonly facts?: RequestOutcome;
}

interface ApiWords {
  readonly operationId: string;
  /** Overrides the title. */
  readonly summary?: string;
  /** Overrides `about`. */
  readonly description?: string;
  /** The name of its body's type. */
  readonly body: string;
  readonly example: object;
  /** Refusals in addition to those of every act. */
  readonly codes?: readonly RefusalCode[];
}

interface CommandWords<Target> {
  /** The command's description; overrides the act's title. */
  readonly about?: string;
  /** Options in the example of the command's help; override the contract's example. */
  readonly example?: string;
  /** Whether it has `--dry-run`. */
  readonly hasDryRun?: true;
  /** The question after the warning of a final act. Without a warning, the terminal asks nothing. */
  readonly question?: string;
  warning?(target: Target): string | undefined;
}

export interface FormWords {
  /** Title, button and text; each overrides that of the act. */
  readonly title?: string;
  readonly submit?: string;
  readonly about?: string;
  /** The confirmation that the script asks for. */
  readonly ask?: string;
  /** The label of the checkbox that confirms a final act. */
  readonly sure?: string;
  /** Names of the fields in the form. Default: all with a label. */
  readonly fields?: readonly string[];
}

interface ButtonWords {
  /** The accessible name. Default: the button's text and the subject. */
  label?(subject: string): string;
  /** The confirmation that the script asks for. */
  ask?(subject: string): string;
}

/**
 * Texts, fields and flags of an act. An operation, a command or a form is rendered only if `api`, `command` or `forms` is set;
 * `{}` is enough.
 */
export interface ActWords<Target = never, Input = Readonly<Record<string, unknown>>> {
  /** The last segment of its path, and the name of its command. */
  readonly verb: string;
  /** The summary of its operation, the heading of its form and, in lower case, the description of its command. */
  readonly title: string;
  /** The description of its operation, and the text of its form. */
  readonly about?: string;
  /** The text of the submit button. */
  readonly submit?: string;
  /** The result, as the predicate of a sentence about the target. */
  readonly done?: string;
  /** The text above a secret that is shown once. */
  shown?(subject: string): string;
  readonly fields: FieldsOf<Input>;
  /** The code of a form with a wrong field. Default: `INVALID_PAYLOAD`. */
  readonly refusedAs?: 'ACT_REFUSED';
  /** Whether it is irreversible and needs a confirmation. */
  readonly isFinal?: true;
  /** Whether constraints of the tables protect it from concurrent changes, see DeskAct. */
  readonly holdsAnyway?: true;
  /** The minimum role for it in the console. Default: the role of its page. */
  readonly role?: Role;
  /** Whether its form requires a reason. */
  readonly isReasonRequired?: true;
  readonly api?: ApiWords;
  readonly command?: CommandWords<Target>;
  /** Forms in the console, each with some of the fields. */
  readonly forms?: readonly FormWords[];
  /** A button next to its target. */
  readonly button?: ButtonWords;
}

/**
 * Returns the minimum role that may do an act in the console.
 *
 * @param form the submitted fields, each of which may need a higher role
 * @param ofPage the role for acts without their own
 */
export const roleFor = (
  { role, fields = {} }: Partial<Pick<ActWords, 'role' | 'fields'>>,
  form: Readonly<Record<string, string | undefined>> = {},
  ofPage: Role = 'operator',
): Role =>
  Object.entries(fields)
    .flatMap(([name, field]) => (form[name] === undefined ? [] : (field.role ?? [])))
    .reduce((least, each) => (hasRole(least, each) ? least : each), role ?? ofPage);

/** An operator act, rendered as an operation of the admin API, a command and a form. */
export interface ActDefinition<
  Target,
  Input = Readonly<Record<string, unknown>>,
  Plan extends PlannedFacts = PlannedFacts,
> extends ActWords<Target, Input> {
  /** Returns the jobs of the act, or why it is refused. */
  plan(
    target: Target,
    input: Input,
    by: Act,
    parts: ActParts,
  ): Plan | RefusedAct | Promise<Plan | RefusedAct>;
}

/** Returns a function that defines acts on one kind of target. */
export const actsOn =
  <Target>() =>
  <Input, Plan extends PlannedFacts>(act: ActDefinition<Target, Input, Plan>) =>
    act;

/** Adds the facts and the notice that the act desk stores with a plan. */
export const forDesk = <Plan extends PlannedFacts>(
  { holdsAnyway }: Pick<ActWords, 'holdsAnyway'>,
  outcome: Plan | RefusedAct,
) =>
  'refused' in outcome
    ? outcome
    : {
        ...withUnchangedNotice(outcome),
        facts: outcome.facts ?? {},
        ...(holdsAnyway ? { holdsAnyway } : {}),
      };
