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
    throw refuse(refusedAs, `${dotted(problem?.path ?? '', isOurName)}: ${problem?.message}`);
  };
}

/** A JSON pointer as people write it: `/events/37/type` as `events[37].type`. */
export function dotted(pointer: string, isOurName: (name: string) => boolean): string {
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
