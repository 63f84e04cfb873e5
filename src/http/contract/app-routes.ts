import type { AnyElysia } from 'elysia';

/** Tells the methods of a path, HEAD beside GET; undefined when there is nothing at it. */
export function methodsOf(app: AnyElysia): (path: string) => readonly string[] | undefined {
  const methods = new Map<string, string[]>();
  for (const { method, path } of app.routes) {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  const patterns = [...methods.keys()]
    .filter((path) => path.includes(':'))
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }));
  return (path) =>
    methods.get(path) ?? methods.get(patterns.find(({ pattern }) => pattern.test(path))?.path ?? '');
}

/** What the contract says of a body, from the hook that reads it; see {@link readJson}. */
export interface BodyContract {
  readonly capBytes: number;
  /** Whether an empty body has a meaning. */
  readonly isOptional: boolean;
}
interface BodyHook {
  readonly fn: Partial<BodyContract>;
}

/**
 * What the contract says of the bodies of an app's operations.
 *
 * @returns by method and path, both as OpenAPI writes them; undefined where no hook reads a body
 */
export function bodiesOf({ routes }: AnyElysia): (method: string, path: string) => BodyContract | undefined {
  const bodies = new Map<string, BodyContract>();
  for (const { method, path, hooks } of routes) {
    const transforms: readonly BodyHook[] = hooks.transform ?? [];
    for (const { fn } of transforms) {
      const { capBytes, isOptional = false } = fn;
      if (capBytes !== undefined)
        bodies.set(keyOf(method, path.replace(/:(\w+)/g, '{$1}')), { capBytes, isOptional });
    }
  }
  return (method, path) => bodies.get(keyOf(method, path));
}

const keyOf = (method: string, path: string): string => `${method.toLowerCase()} ${path}`;
