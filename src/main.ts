import './production.ts';
import { runProgram } from './cli/program.ts';
import { describeContract } from './contract.ts';
import { runtime } from './listen.ts';
import { serve } from './serve.ts';
import { BAKED_EXEC_ARGV } from './version.ts';

/** The environment can turn an executable into a general runtime; this one runs only as it was built. */
function refuseForeignOptions(): void {
  if (BAKED_EXEC_ARGV === undefined || process.execArgv.join(' ') === BAKED_EXEC_ARGV.join(' ')) return;
  process.stderr.write('redoubt: refusing to run with foreign runtime options (BUN_OPTIONS, BUN_BE_BUN)\n');
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
  process.stderr.write(`redoubt: ${(error as Error).message}\n`);
  process.exit(1);
}
