import type { Arrival, Parameter } from './route.ts';

type NameIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path, such as the `siteId` of `/sites/:siteId`. */
export type PathParams<Path extends string> = Readonly<Record<NameIn<Path>, string>>;

type Params = NonNullable<Arrival['params']>;
const NONE: Params = {};

/** Rejects null, which the router returns for invalid UTF-8, and NUL, which PostgreSQL refuses. No existing path has either. */
const isReadable = (value: string | null | undefined): boolean => value !== null && !value?.includes('\0');

/**
 * Returns a function that reads the parameters of a path. Values with invalid UTF-8 or NUL become empty, which match nothing.
 *
 * @throws Error if a parameter of the path is missing
 */
export function paramsReader<Path extends string>(
  path: Path,
): (params: Arrival['params']) => PathParams<Path> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const areWhole = (params: Params): params is Params & PathParams<Path> =>
    names.every((name) => params[name] !== undefined);
  return (params = NONE) => {
    if (!areWhole(params)) throw new Error(`${path} was found without ${names.join(', ')}`);
    if (names.every((name) => isReadable(params[name]))) return params;
    const readable = names.map((name) => [name, isReadable(params[name]) ? params[name] : '']);
    return Object.fromEntries(readable);
  };
}

/** The description of a path parameter in the contract. */
export const pathParameter = (
  name: string,
  description: string,
  schema: object = { type: 'string' },
): Parameter => ({ name, in: 'path', required: true, description, schema });
