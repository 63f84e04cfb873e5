import './server/production.ts';
import { runProgram } from './cli/program.ts';
import { complain } from './lib/log.ts';
import { BAKED_EXEC_ARGV } from './lib/version.ts';
import { foreignOptions } from './runtime/foreign-options.ts';
import { runtime } from './runtime/runtime.ts';

/**
 * The environment can make the runtime in an executable run other code. Some of that code runs before this line and could
 * hide what brought it here, so this refusal tells of a mistake; the guard is the unit's UnsetEnvironment.
 */
function refuseForeignOptions(): void {
  if (BAKED_EXEC_ARGV === undefined) return;
  const foreign = foreignOptions(process.env, process.execArgv, BAKED_EXEC_ARGV);
  if (foreign.length === 0) return;
  complain(`refusing to run with ${foreign.join(', ')} in the environment: unset it`);
  process.exit(2);
}

const threads = {
  storage: new URL('./storage-thread.ts', import.meta.url),
  analysis: new URL('./analysis-thread.ts', import.meta.url),
};

refuseForeignOptions();
try {
  const exitCode = await runProgram(process.argv.slice(2), {
    runtimeName: runtime.name,
    // Loaded when it is asked for: other commands need none of the server, which takes longer to load than they run.
    serve: async (options) => (await import('./server/serve.ts')).serve(threads, options),
    describeApi: async (config) => (await import('./server/describe-contract.ts')).describeContract(config),
  });
  process.exit(exitCode);
} catch (error) {
  complain((error as Error).message);
  process.exit(1);
}
