import './server/production.ts';
import { complain } from './lib/log.ts';
import { BAKED_EXEC_ARGV } from './lib/version.ts';
import { foreignOptions } from './runtime/foreign-options.ts';
import { runtime } from './runtime/runtime.ts';

/**
 * The environment can make the runtime in an executable run other code. Some of that code runs before this line and could hide
 * its origin, so this check only detects mistakes. The protection is the unit's UnsetEnvironment.
 */
function refuseForeignOptions(): void {
  if (BAKED_EXEC_ARGV === undefined) return;
  const foreign = foreignOptions(process.env, process.execArgv, BAKED_EXEC_ARGV);
  if (foreign.length === 0) return;
  complain(`refusing to run with ${foreign.join(', ')} in the environment. Unset it`);
  process.exit(2);
}

/** The argument that starts the analysis process instead of a command. */
const ANALYSIS_PROCESS = 'analysis-process';
const isExecutable = BAKED_EXEC_ARGV !== undefined;
/** The running file, even if an update has replaced it. */
const ITSELF = '/proc/self/exe';
const analysis = new URL('./analysis-process.ts', import.meta.url);

const entries = {
  storage: new URL('./storage-thread.ts', import.meta.url),
  analysis: isExecutable ? ([ITSELF, ANALYSIS_PROCESS] as const) : runtime.commandFor(analysis),
  program: isExecutable ? ([ITSELF] as const) : runtime.commandFor(new URL(import.meta.url)),
};

refuseForeignOptions();
if (isExecutable && process.argv[2] === ANALYSIS_PROCESS) await import(analysis.href);
try {
  const { runProgram } = await import('./cli/program.ts');
  const exitCode = await runProgram(process.argv.slice(2), {
    runtimeName: runtime.name,
    // Imported on use, because loading the server takes longer than most commands run.
    serve: async (options) => (await import('./server/serve.ts')).serve(entries, options),
    describeApi: async (config) => (await import('./server/describe-contract.ts')).describeContract(config),
  });
  process.exit(exitCode);
} catch (error) {
  const { unexpectedWords } = await import('./lib/file-trouble.ts');
  complain(unexpectedWords(error));
  process.exit(1);
}
