import { Command } from 'commander';
import type { Credentials } from '../lib/read-file.ts';
import { askReload, controlPath, outcomeWords } from '../operator/control.ts';
import { readUnitCredentials, readUnitText } from '../operator/unit-credentials.ts';
import { type Config, onVolume } from '../settings/config.ts';
import { findDataDirectory } from '../storage/engine/data-directory.ts';
import { becomeOwner } from '../storage/engine/ownership.ts';
import { CommandRefused, print } from '../terminal/output.ts';

/** Has the running server take over what changed, and waits for the outcome. */
export function reloadCommand(settings: () => Config): Command {
  return new Command('reload')
    .description('apply changed settings and renewed certificates to the running server')
    .option('--unit <name>', 'as root: also apply the current credentials of this systemd unit')
    .addHelpText('after', '\nExample:\n  redoubt reload')
    .action(async ({ unit }: { unit?: string }) => {
      // Where the unit names it, it is the server that tells what is wrong with the settings, in its log and metrics as well.
      const { SERVICE_DATA_DIR: named, container } = process.env;
      const dataDir = named ? onVolume(named, container) : settings().dataDir;
      const credentials = unit === undefined ? undefined : credentialsOf(unit);
      if (findDataDirectory(dataDir)) becomeOwner(dataDir);
      const outcome = await askReload(controlPath(dataDir), credentials);
      if (outcome === undefined) {
        throw new CommandRefused(
          `no server is using ${dataDir}. Set SERVICE_DATA_DIR, or SERVICE_CONFIG, as for the server`,
        );
      }
      if (!outcome.reloaded) throw new CommandRefused(outcomeWords(outcome));
      print(outcomeWords(outcome));
    });
}

function credentialsOf(unit: string): Credentials {
  const text = readUnitText(unit);
  if (text === undefined) throw new CommandRefused(`systemd has no unit ${unit}`);
  return readUnitCredentials(text);
}
