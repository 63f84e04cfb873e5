import { refuse } from '../domain/refusal.ts';
import type { Form } from '../http/form.ts';
import { checker } from '../http/schema-check.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import type { Config } from '../settings/config.ts';
import type { ActWords } from './act.ts';
import { bodyOf, inputOf } from './body.ts';
import type { Field, Fields } from './field.ts';

const NOT_SURE = 'tick that you know what it means.';

/**
 * Returns the parser of an act's forms.
 *
 * @throws Refusal naming the field
 */
export function formReader(act: ActWords) {
  const { fields, forms, refusedAs } = act;
  const check = checker(bodyOf(act), refusedAs);
  const isConfirmationRequired = forms?.some(({ sure }) => sure !== undefined);
  return (form: Form, config: Config): Readonly<Record<string, unknown>> => {
    if (isConfirmationRequired && form.sure !== '1') throw refuse('INVALID_PAYLOAD', NOT_SURE);
    return inputOf(fields, check(bodyOfForm(fields, form)), config);
  };
}

/**
 * Converts a form to the equivalent request body. A blank field is omitted, or null if that removes a value. A field that
 * still has the value shown by the page (`was_<name>`) is omitted.
 */
const bodyOfForm = (fields: Fields, form: Form): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (field.kind === 'choices') return checkedIn(name, form);
      const typed = form[name] === undefined ? undefined : trimInvisible(form[name]);
      const was = form[`was_${name}`];
      if (typed === undefined || typed === was) return [];
      if (typed !== '') return [[name, parsed(field, typed)]];
      return was !== undefined && field.isNullable ? [[name, null]] : [];
    }),
  );

/** Returns the words of the ticked checkboxes, which are named `<field>:<word>`. */
function checkedIn(name: string, form: Form): [string, readonly string[]][] {
  const words = Object.keys(form).flatMap((each) =>
    each.startsWith(`${name}:`) ? [each.slice(name.length + 1)] : [],
  );
  return words.length === 0 ? [] : [[name, words]];
}

const WHOLE_NUMBER = /^\d{1,15}$/;

function parsed({ kind }: Field, typed: string): unknown {
  switch (kind) {
    case 'number':
    case 'hours':
    case 'minutes':
      return WHOLE_NUMBER.test(typed) ? Number(typed) : typed;
    case 'flag':
      return typed === '1';
    case 'domains':
    case 'modules':
    case 'licenses':
      return typed.split(/[\s,]+/).filter((word) => word !== '');
    case 'lines':
      return typed
        .split(/[\r\n]+/)
        .map((each) => each.trim())
        .filter((each) => each !== '');
    default:
      return typed;
  }
}
