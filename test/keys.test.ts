import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseVerifierKey } from '../src/lib/signed-note.ts';
import { runIn, TARGETS } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

describe.each([...TARGETS])('%s: redoubt keys', (target) => {
  const keys = (cwd: string, words: string) => runIn(cwd, target, {}, 'keys', ...words.split(' '));

  test('creates a key without settings or a database, prints only the public key, and shows it again', async () => {
    const directory = temporaryDirectory();
    const made = await keys(directory, 'create --purpose mirror --out mirror.key');
    const vkey = made.stdout.trim();
    expect([made.exitCode, parseVerifierKey(vkey)?.name]).toEqual([0, 'redoubt/mirror']);
    expect(made.stderr).toMatch(/^redoubt: the private key is in mirror\.key and must remain .*\n$/);
    expect(readdirSync(directory)).toEqual(['mirror.key']);
    expect(statSync(join(directory, 'mirror.key')).mode & 0o777).toBe(0o600);
    const shown = await keys(directory, 'show mirror.key');
    expect([shown.exitCode, shown.stdout, shown.stderr]).toEqual([0, `${vkey}\n`, '']);
    const again = await keys(directory, 'create --purpose mirror --out mirror.key');
    expect([again.exitCode, again.stdout, again.stderr.split('\n').length]).toEqual([1, '', 2]);
    expect(readFileSync(join(directory, 'mirror.key'), 'utf8')).toContain(vkey);
  });
});
