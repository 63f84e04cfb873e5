import { resolve } from 'node:path';
import { Command } from 'commander';
import { examineSettings } from '../operator/doctor/examine.ts';
import { exitCodeOf } from '../operator/doctor/finding.ts';
import type { SettingChanges } from '../settings/setting-changes.ts';
import { Ended, print, printJson } from '../terminal/output.ts';
import { type DoctorOptions, showFindings, unitOption } from './doctor.ts';

const REFUSED = 1;
const WRONG_SETTINGS = 2;

const NOT_COMPARED =
  'a server is running but does not report its settings, so they could not be compared. See its log';

/** Checks settings before a server uses them. */
export function configCheckCommand(): Command {
  return new Command('check')
    .description('check the settings and the files they name, and show what a reload would apply')
    .argument('[file]', 'settings file; default: the one named by SERVICE_CONFIG')
    .addOption(unitOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  redoubt config check /etc/redoubt/redoubt.env')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      // "config" has this option as well, and takes it wherever it stands.
      const { unit, json } = command.optsWithGlobals<DoctorOptions>();
      const path = file === undefined ? undefined : resolve(file);
      const { findings, changes, server } = await examineSettings({ environment: process.env, unit }, path);
      if (json) printJson({ findings, changes: changes ?? null, server: server ?? null });
      else {
        showFindings(findings, 'the settings are valid, and their files are readable');
        if (changes) print(changesInWords(changes));
        if (server === 'silent') print(NOT_COMPARED);
      }
      const exitCode = exitCodeOf(findings);
      if (exitCode > 0) throw new Ended(exitCode === REFUSED ? WRONG_SETTINGS : exitCode);
    });
}

function changesInWords({ reload, restart }: SettingChanges): string {
  const lines = [
    ...(reload.length > 0 ? [`a reload would apply ${reload.join(', ')}`] : []),
    ...(restart.length > 0 ? [`a restart is required for ${restart.join(', ')}`] : []),
  ];
  return (
    lines.join('\n') ||
    'the running server has these settings; changed secrets and changed contents of files are not compared'
  );
}
