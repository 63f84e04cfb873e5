import './production.ts';
import { runProgram } from './cli/program.ts';
import { describeContract } from './contract.ts';
import { foreignOptions } from './foreign-options.ts';
import { complain } from './lib/log.ts';
import { runtime } from './listen.ts';
import { serve } from './serve.ts';
import { BAKED_EXEC_ARGV } from './version.ts';

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

refuseForeignOptions();
try {
  const exitCode = await runProgram(process.argv.slice(2), {
    runtimeName: runtime.name,
    serve,
    describeApi: describeContract,
  });
  process.exit(exitCode);
} catch (error) {
  complain((error as Error).message);
  process.exit(1);
}
