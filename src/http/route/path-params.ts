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

/** @throws Error when a parameter of the path is missing */
export function paramsReader<Path extends string>(
  path: Path,
): (params: Arrival['params']) => PathParams<Path> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const areWhole = (params: Params): params is Params & PathParams<Path> =>
    names.every((name) => params[name] !== undefined);
  return (params = NONE) => {
    if (areWhole(params)) return params;
    throw new Error(`${path} was found without ${names.join(', ')}`);
  };
}

/** A parameter of a path, for the contract. */
export const pathParameter = (
  name: string,
  description: string,
  schema: object = { type: 'string' },
): Parameter => ({ name, in: 'path', required: true, description, schema });
