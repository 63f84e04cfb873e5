import type { AnyElysia } from 'elysia';
import { KIB } from '../context.ts';

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

/** What a hook that reads a body knows of it; see {@link readJson}. */
interface BodyHook {
  readonly fn: { readonly capBytes?: number };
}

/**
 * What the contract says of the bodies of an app's operations, from the hooks that read them under a cap.
 *
 * @returns by method and path, both as OpenAPI writes them; undefined where no hook reads a body
 */
export function bodyCapsOf({ routes }: AnyElysia): (method: string, path: string) => string | undefined {
  const caps = new Map<string, number>();
  for (const { method, path, hooks } of routes) {
    const transforms: readonly BodyHook[] = hooks.transform ?? [];
    const capBytes = transforms.map(({ fn }) => fn.capBytes).find((cap) => cap !== undefined);
    if (capBytes !== undefined) caps.set(keyOf(method, path.replace(/:(\w+)/g, '{$1}')), capBytes);
  }
  return (method, path) => {
    const capBytes = caps.get(keyOf(method, path));
    return capBytes === undefined ? undefined : `At most ${capBytes / KIB} KiB.`;
  };
}

const keyOf = (method: string, path: string): string => `${method.toLowerCase()} ${path}`;
