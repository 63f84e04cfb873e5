import { Command, Option } from 'commander';
import { printable } from '../lib/printable.ts';
import { examine } from '../operator/doctor/examine.ts';
import { exitCodeOf, type Finding } from '../operator/doctor/finding.ts';
import { Ended, print, printJson } from '../terminal/output.ts';

export interface DoctorOptions {
  readonly unit: string;
  readonly json?: true;
}

export const unitOption = (): Option =>
  new Option('--unit <name>', 'the systemd unit of the service').default('redoubt');

/** Looks at the installation and its host. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check the installation and its host, and show what to fix; changes nothing')
    .addOption(unitOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 no problems found, 1 at least one error, 3 warnings only\n\nExample:\n  redoubt doctor',
    )
    .action(async ({ unit, json }: DoctorOptions) => {
      const findings = await examine({ environment: process.env, unit });
      if (json) printJson({ findings });
      else showFindings(findings, 'no problems found');
      const exitCode = exitCodeOf(findings);
      if (exitCode > 0) throw new Ended(exitCode);
    });
}

/** Prints findings for people. */
export function showFindings(findings: readonly Finding[], fine: string): void {
  const told = findings.map(
    ({ severity, id, what, do: todo }) => `${severity} ${id}: ${printable(what)}\n  ${printable(todo)}`,
  );
  print(told.join('\n') || fine);
}
