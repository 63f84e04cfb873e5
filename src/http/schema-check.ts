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

/** Where a body fails its schema and why; where the schema is a list of words, with these. */
export function problemText(problem: SchemaProblem, isOurName: (name: string) => boolean): string {
  const { path, message, schema } = problem;
  const { anyOf = [] } = (schema ?? {}) as { anyOf?: readonly { const?: unknown }[] };
  const words = anyOf.map((variant) => variant.const).filter((word) => word !== undefined);
  const why = words.length > 0 ? `Expected one of ${words.join(', ')}` : message;
  return `${dotted(path, isOurName)}: ${why}`;
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
