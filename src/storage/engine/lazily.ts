/** What statements are asked by, Drizzle's and plain ones. */
const METHODS = ['get', 'all', 'run', 'values', 'execute', 'iterate'] as const;

type Method = (...values: unknown[]) => unknown;
type Methods = Partial<Record<(typeof METHODS)[number], Method>>;

/**
 * A statement that is built when it is first asked. There are hundreds of them, a command needs a few, and building one costs more than
 * asking it.
 */
export function lazily<Built extends object>(build: () => Built): Built {
  let built: Methods | undefined;
  const lazy: Methods = {};
  for (const name of METHODS) {
    lazy[name] = (...values) => {
      built ??= build() as Methods;
      // From now on, nothing stands between.
      for (const each of METHODS) lazy[each] = built[each]?.bind(built) as Method;
      return built[name]?.(...values);
    };
  }
  return lazy as Built;
}
