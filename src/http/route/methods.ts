import type { Endpoint } from './route.ts';

const PARAMETER = /:\w+/g;

type Place = Pick<Endpoint, 'method' | 'path'>;

/** An endpoint's method and path, without the names of parameters. */
export const routeName = ({ method, path }: Place): string => `${method} ${path.replace(PARAMETER, ':')}`;

/** Returns the methods of a path, with HEAD wherever GET is; undefined for unknown paths. */
export function methodsOf(endpoints: readonly Place[]): (path: string) => readonly string[] | undefined {
  const methods = new Map<string, string[]>();
  for (const { method, path } of endpoints) {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  const patterns = [...methods.keys()]
    .filter((path) => path.includes(':'))
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(PARAMETER, '[^/]+')}$`) }));
  return (path) =>
    methods.get(path) ?? methods.get(patterns.find(({ pattern }) => pattern.test(path))?.path ?? '');
}
