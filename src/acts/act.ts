import type { Offer } from '../domain/payment/price-list.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import { type Act, type PlannedAct, type RefusedAct, withUnchangedNotice } from '../operator/act.ts';
import type { Config } from '../settings/config.ts';
import type { Database } from '../storage/engine/database.ts';
import type { RequestOutcome } from '../storage/operators/admin-requests.ts';
import type { FieldsOf } from './field.ts';

/** What an act may ask while it is planned. */
export interface ActParts {
  readonly db: Database;
  readonly offer: Offer;
  readonly config: Config;
}

/** What is planned, with what is kept of it for a request that is repeated. */
export interface PlannedFacts extends PlannedAct {
  readonly facts?: RequestOutcome;
}

interface ApiWords {
  readonly operationId: string;
  /** In place of the title. */
  readonly summary?: string;
  /** In place of `about`. */
  readonly description?: string;
  /** The type of its body. */
  readonly body: string;
  readonly example: object;
  /** Beside those of every act. */
  readonly codes?: readonly RefusalCode[];
}

interface CommandWords<Target> {
  /** Its description, in place of the title. */
  readonly about?: string;
  /** Its options in the example of its help, in place of those of the contract's example. */
  readonly example?: string;
  /** Whether `--dry-run` shows what would change. */
  readonly hasDryRun?: true;
  /** What is asked on a terminal before a final act, after the warning; without a warning, nothing is. */
  readonly question?: string;
  warning?(target: Target): string | undefined;
}

export interface FormWords {
  /** In place of those of the act. */
  readonly title?: string;
  readonly submit?: string;
  readonly about?: string;
  /** What a browser with a script asks first. */
  readonly ask?: string;
  /** What has to be ticked before a final act. */
  readonly sure?: string;
  /** Its fields; without it, all that have a label. */
  readonly fields?: readonly string[];
}

interface ButtonWords {
  /** Its accessible name, in place of its words and the subject. */
  label?(subject: string): string;
  /** What a browser with a script asks first. */
  ask?(subject: string): string;
}

/** The words, fields and flags of an act. It has an operation, a command or a form only where it has words for that, which may be `{}`. */
export interface ActWords<Target = never, Input = Readonly<Record<string, unknown>>> {
  /** The last piece of its path, and the name of its command. */
  readonly verb: string;
  /** The summary of its operation, the heading of its form and, in lower case, the description of its command. */
  readonly title: string;
  /** The description of its operation, and the text of its form. */
  readonly about?: string;
  /** The words of its button. */
  readonly submit?: string;
  /** What is said of its target when it is done. */
  readonly done?: string;
  /** What is said above a secret that it shows once. */
  shown?(subject: string): string;
  readonly fields: FieldsOf<Input>;
  /** What its form is refused as where a field is wrong, if not as `INVALID_PAYLOAD`. */
  readonly refusedAs?: 'ACT_REFUSED';
  /** It cannot be undone, and needs a confirmation. */
  readonly isFinal?: true;
  /** Whether the tables' own constraints hold whatever it was planned on, see DeskAct. */
  readonly holdsAnyway?: true;
  /** Whether its form requires a reason. */
  readonly isReasonRequired?: true;
  readonly api?: ApiWords;
  readonly command?: CommandWords<Target>;
  /** Several forms share the fields of one act. */
  readonly forms?: readonly FormWords[];
  /** A button next to its target. */
  readonly button?: ButtonWords;
}

/** An act of operators, from which its operation of the admin API, its command and its form are made. */
export interface ActDefinition<
  Target,
  Input = Readonly<Record<string, unknown>>,
  Plan extends PlannedFacts = PlannedFacts,
> extends ActWords<Target, Input> {
  /** Plans it, or refuses it. */
  plan(
    target: Target,
    input: Input,
    by: Act,
    parts: ActParts,
  ): Plan | RefusedAct | Promise<Plan | RefusedAct>;
}

/** A function that defines acts on the same. */
export const actsOn =
  <Target>() =>
  <Input, Plan extends PlannedFacts>(act: ActDefinition<Target, Input, Plan>) =>
    act;

/** An outcome as the desk takes it. */
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
