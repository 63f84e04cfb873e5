import type { TObject, TSchema } from '@sinclair/typebox';
import type { Form } from '../http/form.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';

/**
 * What stands in a form, as the body of the admin API that asks for the same. What is blank is left out, or null where that takes
 * something away; so is what still is what the page showed, which stands beside it as `was_<name>`.
 *
 * @param schema of the body, which still has to check it
 */
export function bodyOf({ properties }: TObject, form: Form): Readonly<Record<string, unknown>> {
  const typed = Object.entries(properties).flatMap(([name, schema]) => {
    const text = form[name] === undefined ? undefined : trimInvisible(form[name]);
    const was = form[`was_${name}`];
    if (name === 'reason' || text === undefined || text === was) return [];
    if (text !== '') return [[name, parsed(schema, text)]];
    return was !== undefined && isNullable(schema) ? [[name, null]] : [];
  });
  return Object.fromEntries(typed);
}

const WHOLE_NUMBER = /^\d{1,15}$/;

function parsed(schema: TSchema, text: string): unknown {
  switch (kindOf(schema)) {
    case 'integer':
      return WHOLE_NUMBER.test(text) ? Number(text) : text;
    case 'boolean':
      return text === '1';
    case 'array':
      return text.split(/[\s,]+/).filter((word) => word !== '');
    default:
      return text;
  }
}

const variantsOf = ({ anyOf = [] }: TSchema) => anyOf as readonly TSchema[];
const isNullable = (schema: TSchema): boolean => variantsOf(schema).some(({ type }) => type === 'null');
const kindOf = (schema: TSchema): unknown =>
  schema.type ?? variantsOf(schema).find(({ type }) => type !== 'null')?.type;
