import { Command } from 'commander';
import { BUILT_AT, COMMIT, SBOM_SHA256, VERSION } from '../lib/version.ts';
import { print, printJson } from '../terminal/output.ts';

/** Version, commit, build date and runtime in one line. */
export function versionLine(runtimeName: string): string {
  const build = BUILT_AT === null ? 'built without git' : `commit ${COMMIT}, built ${BUILT_AT}`;
  return `redoubt ${VERSION} (${build}, ${runtimeName})`;
}

export function versionCommand(runtimeName: string): Command {
  return new Command('version')
    .description('print version, commit, build date and runtime')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt version')
    .action(async (options: { json?: true }) => {
      if (!options.json) return print(versionLine(runtimeName));
      const { MIGRATIONS } = await import('../storage/engine/migrations.ts');
      printJson({
        version: VERSION,
        commit: COMMIT,
        built_at: BUILT_AT,
        runtime: runtimeName,
        schema_version: MIGRATIONS.length,
        sbom_sha256: SBOM_SHA256,
      });
    });
}
