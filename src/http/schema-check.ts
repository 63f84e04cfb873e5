import type { Static, TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type RefusalCode, refuse } from '../domain/refusal.ts';

/**
 * A check that is compiled once, for bodies that Elysia does not check itself. It gives the body back as
 * what it is now known to be.
 *
 * @param isOurName whether a name in a path stands in our own schema; other names are not repeated
 * @throws Refusal naming the first bad field, never what stood there
 */
export function checker<Schema extends TSchema>(
  schema: Schema,
  refusedAs: RefusalCode = 'INVALID_PAYLOAD',
  isOurName: (name: string) => boolean = () => true,
): (body: unknown) => Static<Schema> {
  const compiled = TypeCompiler.Compile(schema);
  return (body) => {
    if (compiled.Check(body)) return body;
    const problem = compiled.Errors(body).First();
    throw refuse(refusedAs, problem ? problemText(problem, isOurName) : 'body: is not of the right shape');
  };
}

export interface SchemaProblem {
  /** A JSON pointer. */
  readonly path: string;
  readonly message: string;
  readonly schema?: object;
}

/** Where a body fails its schema and why. */
export function problemText(problem: SchemaProblem, isOurName: (name: string) => boolean): string {
  return `${dotted(problem.path, isOurName)}: ${reason(problem)}`;
}

interface ShownSchema {
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly minLength?: number;
  readonly maxLength?: number;
}

function reason({ message, schema = {} }: SchemaProblem): string {
  const { anyOf = [], minLength = 0, maxLength } = schema as ShownSchema;
  const words = anyOf.map((variant) => variant.const).filter((word) => word !== undefined);
  if (words.length > 0) return `Expected one of ${words.join(', ')}`;
  // TypeBox has no words for a kind of our own, which is `text`.
  if (message.startsWith('Expected kind'))
    return `Expected a text of ${minLength} to ${maxLength} characters`;
  return message;
}

/** A JSON pointer as people write it: `/events/37/type` as `events[37].type`. */
function dotted(pointer: string, isOurName: (name: string) => boolean): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => {
      if (/^\d+$/.test(part)) return `[${part}]`;
      return isOurName(part) ? `.${part}` : '.(unknown field)';
    })
    .join('');
  return path.replace(/^\./, '') || 'body';
}
