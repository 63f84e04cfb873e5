import { Command } from 'commander';
import type { Config } from '../settings/config.ts';
import { addExportCommand } from './evidence-export.ts';
import { addVerifyCommand } from './evidence-verify.ts';

/** The commands for the logs of evidence. */
export function evidenceCommand(settings: () => Config): Command {
  const evidence = new Command('evidence')
    .description('export the history of a license, and verify one')
    .addHelpText('after', '\nExample:\n  redoubt evidence verify evidence.ndjson');
  addExportCommand(evidence, settings);
  addVerifyCommand(evidence);
  return evidence;
}
