/** The methods that run statements, Drizzle's and plain ones. */
const METHODS = ['get', 'all', 'run', 'values', 'execute', 'iterate'] as const;

type Method = (...values: unknown[]) => unknown;
type Methods = Partial<Record<(typeof METHODS)[number], Method>>;

/**
 * Builds a statement on its first use. There are hundreds, a command needs a few, and building one costs more than running it.
 */
export function lazily<Built extends object>(build: () => Built): Built {
  let built: Methods | undefined;
  const lazy: Methods = {};
  for (const name of METHODS) {
    lazy[name] = (...values) => {
      built ??= build() as Methods;
      // Later calls go straight to the statement.
      for (const each of METHODS) lazy[each] = built[each]?.bind(built) as Method;
      return built[name]?.(...values);
    };
  }
  return lazy as Built;
}
