import { Command } from 'commander';
import type { Config } from '../settings/config.ts';
import { addAssertCommand } from './vulns-assert.ts';
import { addPackCommand } from './vulns-bundle.ts';
import { addImportCommand } from './vulns-import.ts';
import { addLookupCommand } from './vulns-lookup.ts';
import { addRollbackCommand } from './vulns-rollback.ts';
import { addStatusCommand } from './vulns-status.ts';
import { addUrgentCommand } from './vulns-urgent.ts';

/** The operator's commands for what is known of vulnerabilities. */
export function vulnsCommand(settings: () => Config): Command {
  const vulns = new Command('vulns')
    .description('import and search vulnerability feeds')
    .addHelpText('after', '\nExample:\n  redoubt vulns import wordfence.json epss.csv.gz');
  addImportCommand(vulns, settings);
  addPackCommand(vulns);
  addStatusCommand(vulns, settings);
  addUrgentCommand(vulns, settings);
  addLookupCommand(vulns, settings);
  addAssertCommand(vulns, settings);
  addRollbackCommand(vulns, settings);
  return vulns;
}
