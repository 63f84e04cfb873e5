import type { Static, TObject } from '@sinclair/typebox';
import { refuse } from '../domain/refusal.ts';
import { brokenNameIn, formPairs } from '../lib/form-pairs.ts';
import { checker } from './schema-check.ts';

const INTEGER = /^\d{1,16}$/;

/**
 * Returns a function that reads and checks the query of a request.
 *
 * @param schema closed; its properties are strings and integers
 * @param doubled for repeated names: use the last value, or refuse the request
 * @throws Refusal that names the first invalid parameter, without its value
 */
export function queryReader<Schema extends TObject>(
  schema: Schema,
  doubled: 'last' | 'refused' = 'last',
): (request: Request) => Static<Schema> {
  const check = checker(schema, 'INVALID_QUERY');
  const names = Object.keys(schema.properties);
  return ({ url }) => {
    const pairs = formPairs(queryOf(url));
    if (pairs === undefined) {
      const broken = brokenNameIn(queryOf(url)) ?? '';
      const name = names.includes(broken) ? broken : '(unknown field)';
      throw refuse('INVALID_QUERY', `${name}: is not valid UTF-8, or contains NUL`);
    }
    const twice =
      doubled === 'refused' && names.find((name) => pairs.filter(([each]) => each === name).length > 1);
    if (twice) throw refuse('INVALID_QUERY', `${twice}: is repeated`);
    const query = pairs.map(([name, value]) => {
      const isInteger = schema.properties[name]?.type === 'integer' && INTEGER.test(value);
      return [name, isInteger ? Number(value) : value];
    });
    return check(Object.fromEntries(query));
  };
}

/** The query parameters of a URL. The URL may have a host that `URL` would not parse. */
export const searchParamsOf = (url: string): URLSearchParams => new URLSearchParams(queryOf(url));

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** The schema as parameters of the contract. */
export const queryParameters = ({ properties, required = [] }: TObject) =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query' as const,
    required: required.includes(name),
    description: description ?? '',
    schema: schema as object,
  }));
