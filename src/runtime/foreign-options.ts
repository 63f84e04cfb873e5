/**
 * Environment variables that make the runtime inside an executable run other code, accept a debugger, write files or trust any
 * certificate. test/runtime/foreign-options.test.ts tries all variables that the runtime supports.
 */
export const FOREIGN_VARIABLES = [
  'BUN_BE_BUN',
  'BUN_OPTIONS',
  'BUN_INSPECT',
  'BUN_INSPECT_CONNECT_TO',
  'BUN_INSPECT_NOTIFY',
  'BUN_INSPECT_PRELOAD',
  'BUN_BYTECODE_DIGEST_OUT',
  'BUN_BYTECODE_ORDER_NAMES_OUT',
  'BUN_BYTECODE_ORDER_OUT',
  'NODE_TLS_REJECT_UNAUTHORIZED',
] as const;

/** The variables that are set, and runtime options that were not baked in. */
export function foreignOptions(
  environment: Readonly<Record<string, string | undefined>>,
  execArgv: readonly string[],
  bakedExecArgv: readonly string[],
): string[] {
  const options = execArgv.filter((option) => !bakedExecArgv.includes(option));
  return [...FOREIGN_VARIABLES.filter((name) => environment[name]), ...options];
}
