import type { Static, TObject } from '@sinclair/typebox';
import { checker } from './schema-check.ts';

const INTEGER = /^\d{1,15}$/;

/**
 * A reader of a request's query string. Of doubled names the last counts.
 *
 * @param schema closed; its properties are strings and integers
 * @throws Refusal naming the first bad parameter, never what stood there
 */
export function queryReader<Schema extends TObject>(schema: Schema): (request: Request) => Static<Schema> {
  const check = checker(schema, 'INVALID_QUERY');
  return ({ url }) => {
    const query = [...searchParamsOf(url)].map(([name, value]) => {
      const isInteger = schema.properties[name]?.type === 'integer' && INTEGER.test(value);
      return [name, isInteger ? Number(value) : value];
    });
    return check(Object.fromEntries(query));
  };
}

/** The query of a request's URL, whose host may be none that a URL could have. */
export const searchParamsOf = (url: string): URLSearchParams =>
  new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** The same schema as the contract's parameters. */
export const queryParameters = ({ properties }: TObject) =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query' as const,
    required: false,
    description: description ?? '',
    schema: schema as object,
  }));
