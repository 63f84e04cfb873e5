import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Fault } from '../../src/lib/fault.ts';
import { wordsFor } from '../../src/storage/engine/trouble.ts';
import { makeRelease } from './make-release.ts';
import { signingKeyIn } from './signing-key.ts';

const HELP = `bun run release [--out dist/release] [--sign FILE.key] [--password-file FILE] [--release-key FILE.pub]...
  [--with FILE]... [--debian-packages FOLDER]

--out            the folder of the release, which replaces one that is there
--sign           sign with this secret key of minisign
--password-file  its password, in the first line of a file
--release-key    a public key whose releases the executables take, in place of those in src/runtime/release-keys; repeatable
--with           another file for the kit, such as a bundle of "redoubt vulns pack"; repeatable
--debian-packages  a folder with the packages that tools/release/image/debian.lock.json pins, in place of apt`;

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/release' },
    sign: { type: 'string' },
    'password-file': { type: 'string' },
    'release-key': { type: 'string', multiple: true, default: [] },
    with: { type: 'string', multiple: true, default: [] },
    'debian-packages': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(HELP);
else await release();

async function release(): Promise<void> {
  try {
    await makeRelease({
      folder: resolve(options.out),
      signer: options.sign === undefined ? undefined : signerAt(options.sign, options['password-file']),
      releaseKeys: options['release-key'].map((path) => resolve(path)),
      extras: options.with.map((path) => resolve(path)),
      debianPackages: options['debian-packages'] && resolve(options['debian-packages']),
      onProgress: (what) => console.log(what),
    });
    console.log(`made ${options.out}${options.sign === undefined ? ', unsigned' : ''}`);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    console.error(`release: ${error.message}`);
    process.exitCode = 1;
  }
}

function signerAt(path: string, passwordFile: string | undefined) {
  const password = passwordFile === undefined ? undefined : textAt(passwordFile).split('\n')[0];
  const text = textAt(path);
  try {
    return signingKeyIn(text, password);
  } catch (error) {
    throw error instanceof Fault ? new Fault(`${path}: ${error.message}`) : error;
  }
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Fault(`cannot read ${path}: ${wordsFor(error)}`);
  }
}
