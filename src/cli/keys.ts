import { Command, Option } from 'commander';
import { isKeyName } from '../lib/signed-note.ts';
import type { Config } from '../settings/config.ts';
import { createSigningKey, readSigningKey, type SigningPurpose } from '../storage/signing/signing-key.ts';
import { print, tell, WrongUsage } from '../terminal/output.ts';
import { addKeptKeyCommands } from './kept-keys.ts';
import { refuseForeignPath } from './output-file.ts';

const NAME_CHARACTERS_MAX = 128;

interface CreateOptions {
  readonly purpose: SigningPurpose;
  readonly out: string;
  readonly name?: string;
}

/**
 * Keys that sign: those that are files of the operator's, which need neither settings nor a database, and those by which the service
 * signs.
 */
export function keysCommand(settings: () => Config): Command {
  const keys = new Command('keys')
    .description('create, list, rotate and revoke signing keys')
    .addHelpText('after', '\nExample:\n  redoubt keys show mirror.key');
  keys
    .command('create')
    .description('create a private key in a new file and print its public key')
    .addOption(
      new Option('--purpose <purpose>', 'purpose of the key; mirror: bundles of feeds')
        .choices(['mirror'])
        .makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'new file for the private key; never overwrites')
    .option('--name <name>', 'name of the signer, shown to verifiers; default: redoubt/<purpose>', keyName)
    .addHelpText(
      'after',
      '\nExample:\n  redoubt keys create --purpose mirror --out mirror.key --name example.com/feeds',
    )
    .action(({ purpose, out, name = `redoubt/${purpose}` }: CreateOptions) => {
      refuseForeignPath(out);
      const { verifier } = createSigningKey(out, purpose, name);
      print(verifier.vkey);
      tell(
        `the private key is in ${out} and must remain on this host; the line above is the public key for verifiers`,
      );
    });
  keys
    .command('show')
    .description('print the public key of a private key')
    .argument('<file>', 'the private key')
    .addHelpText('after', '\nExample:\n  redoubt keys show mirror.key')
    .action((path: string) => print(readSigningKey(path).verifier.vkey));
  addKeptKeyCommands(keys, settings);
  return keys;
}

const keyName = (text: string): string => {
  if (!isKeyName(text) || text.length > NAME_CHARACTERS_MAX)
    throw new WrongUsage(
      `--name must have 1 to ${NAME_CHARACTERS_MAX} characters without spaces, control characters or plus signs`,
    );
  return text;
};
