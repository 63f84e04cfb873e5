import type { AnyElysia } from 'elysia';

const synchronousHooks = new WeakSet<object>();

/** A hook as Elysia keeps it. */
interface MarkedHook {
  readonly fn: object;
  isAsync?: boolean;
}

/** The same hook, if it never returns a promise. */
type Synchronous<Hook extends (context: never) => unknown> = [
  Extract<ReturnType<Hook>, PromiseLike<unknown>>,
] extends [never]
  ? Hook
  : never;

/**
 * Marks a hook that never returns a promise, so that Elysia does not wait for it. Elysia decides that by a hook's text, and in the
 * minified executable the text of almost every hook reads as if it returned a call.
 */
export function synchronous<Hook extends (context: never) => unknown>(hook: Synchronous<Hook>): Hook {
  synchronousHooks.add(hook);
  return hook;
}

/** Tells Elysia which hooks it need not wait for. To be called before the first request. */
export function markSynchronous({ event, routes }: AnyElysia): void {
  const mark = (hooks: readonly MarkedHook[] = []) => {
    for (const hook of hooks) if (synchronousHooks.has(hook.fn)) hook.isAsync = false;
  };
  mark(event.request);
  for (const { hooks } of routes) mark(hooks.transform);
}
