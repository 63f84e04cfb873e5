import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  entryText,
  exportPage,
  logOf,
  logOfEntries,
  newLogSigner,
  publishedKey,
  signedCheckpoint,
} from '../support/evidence.ts';
import { commandOf, run, runIn, TARGETS } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const folder = temporaryDirectory();
const fileWith = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const signer = newLogSigner();
const { vkey } = signer.verifier;
const other = newLogSigner();
const log = logOfEntries(9);
const forked = logOf(log.texts.with(2, Buffer.from(entryText('another'))));
const jwks = { keys: [publishedKey()] };
const whole = exportPage(log, signer, { forgotten: [4], jwks });
const lines = whole.split('\n');
const pageOf = (from: number, to: number) => exportPage(log, signer, { indexes: upTo(from, to) });
const pageWithout = (...gone: number[]) =>
  exportPage(log, signer, { indexes: upTo(0, 9).filter((index) => !gone.includes(index)) });
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
const changed = (line: number, what: string | RegExp, by: string) =>
  lines.map((text, at) => (at === line - 1 ? text.replace(what, by) : text)).join('\n');

const pinned = fileWith('kept.checkpoint', signedCheckpoint(log, 5, signer));
const pinnedElse = fileWith('else.checkpoint', signedCheckpoint(forked, 5, signer));
const pinnedLater = fileWith('later.checkpoint', signedCheckpoint(logOfEntries(12), 12, signer));
const pinnedOfOthers = fileWith('others.checkpoint', signedCheckpoint(log, 5, other));
const some = fileWith('some.ndjson', exportPage(log, signer, { indexes: [1, 2, 7] }));
const grown = fileWith(
  'grown.ndjson',
  exportPage(log, signer, { size: 6 }) + exportPage(log, signer, { indexes: [6] }),
);
const wholeGrown = fileWith(
  'whole-grown.ndjson',
  exportPage(log, signer, { size: 6 }) + exportPage(log, signer, { indexes: upTo(6, 9) }),
);
const rewritten = fileWith(
  'rewritten.ndjson',
  exportPage(forked, signer, { size: 6 }) + exportPage(log, signer, { indexes: [6] }),
);
const sound = fileWith('sound.ndjson', whole);

/** Valid exports: description, file, key, checkpoint. */
const HOLDS: readonly [string, string, string?, string?][] = [
  ['a whole log', sound],
  ['a whole log by the key that was told', sound, vkey],
  ['a log that has grown from a checkpoint', sound, vkey, pinned],
  ['pages of a log that grew', wholeGrown, vkey, pinned],
  ['pages in another order, one twice', fileWith('pages.ndjson', pageOf(6, 9) + pageOf(0, 6) + pageOf(0, 6))],
  ['an empty log', fileWith('empty-log.ndjson', exportPage(logOf([]), signer))],
];

/** Valid and incomplete exports: also the missing entries. */
const PARTS: readonly [string, string, string, string, string?, string?][] = [
  [
    'one entry is missing',
    '1 entry of the log is missing',
    '5',
    fileWith('gap.ndjson', pageWithout(5)),
    vkey,
  ],
  ['several are missing', '6 entries of the log are missing', '0, 3 to 6, 8', some],
  [
    'the first ones are missing',
    '2 entries of the log are missing',
    '0 to 1',
    fileWith('late.ndjson', pageWithout(0, 1)),
  ],
  [
    'the file ends early',
    '4 entries of the log are missing',
    '5 to 8',
    fileWith('early.ndjson', lines.slice(0, 6).join('\n')),
  ],
  [
    'there is a header alone',
    '9 entries of the log are missing',
    '0 to 8',
    fileWith('header.ndjson', pageOf(0, 0)),
  ],
  ['a log that grew is not all there', '2 entries of the log are missing', '7 to 8', grown, vkey, pinned],
];

/** Invalid exports: also the named line and entry, `-` for none. */
const FAILS: readonly [string, string, string, string, string?, string?][] = [
  ['an empty file', '-', '-', fileWith('empty.ndjson', '')],
  ['no header', '1', '-', fileWith('headless.ndjson', lines.slice(1).join('\n'))],
  ['another entry', '4', '2', fileWith('entry.ndjson', changed(4, 'Größe', 'Grösse'))],
  [
    'another proof',
    '4',
    '2',
    fileWith('proof.ndjson', changed(4, /"proof":\[".{10}/, '"proof":["AAAAAAAAAA')),
  ],
  ['a shorter proof', '4', '2', fileWith('short.ndjson', changed(4, /,"[\w-]{43}"\]/, ']'))],
  ['another index', '4', '3', fileWith('index.ndjson', changed(4, '"index":2', '"index":3'))],
  ['an index twice', '5', '2', fileWith('twice.ndjson', lines.toSpliced(4, 0, lines[3] ?? '').join('\n'))],
  [
    'another hash of what was forgotten',
    '6',
    '4',
    fileWith('hash.ndjson', changed(6, /h":".{4}/, 'h":"AAAA')),
  ],
  [
    'what is no entry',
    '2',
    '0',
    fileWith('none.ndjson', exportPage(logOf([Buffer.from('{"v":2}')]), signer)),
  ],
  ['another checkpoint', '1', '-', fileWith('size.ndjson', changed(1, '\\n9\\n', '\\n8\\n'))],
  ['another key', '1', '-', fileWith('vkey.ndjson', changed(1, vkey, other.verifier.vkey))],
  ['what another key has signed', '1', '-', sound, other.verifier.vkey],
  ['no export', '1', '-', fileWith('text.ndjson', 'an export\n')],
  ['no UTF-8', '1', '-', fileWith('latin.ndjson', Buffer.from([0xff, 0x0a]))],
  [
    'pages out of order',
    '9',
    '-',
    fileWith(
      'order.ndjson',
      exportPage(log, signer, { indexes: upTo(0, 7) }) + exportPage(log, signer, { size: 6 }),
    ),
  ],
  ['a past that was rewritten', '9', '6', rewritten],
  ['another past than the one that was kept', '6', '4', sound, vkey, pinnedElse],
  ['a log that was longer', '-', '-', sound, vkey, pinnedLater],
  ['entries that cannot tell', '-', '-', some, vkey, pinned],
  ['a checkpoint of another key', '1', '-', sound, vkey, pinnedOfOthers],
];

/** Rows of equal length: a test would take its callback for a missing cell. */
const titled = <Row extends readonly [string, ...unknown[]]>(rows: readonly Row[]) =>
  rows.map((row) => [row[0], row] as const);

describe.each([...TARGETS])('evidence verify, with %s', (target) => {
  const verify = (file: string, key?: string, kept?: string, ...more: string[]) =>
    run(
      target,
      {},
      ...['evidence', 'verify', file, ...more],
      ...(key === undefined ? [] : ['--vkey', key]),
      ...(kept === undefined ? [] : ['--pinned', kept]),
    );

  test.each(titled(HOLDS))('reports a valid export: %s', async (_, [, file, key, kept]) => {
    const { exitCode, stdout, stderr } = await verify(file, key, kept);
    expect([exitCode, stderr]).toEqual([
      0,
      key === undefined ? expect.stringContaining('the key was read from the export itself') : '',
    ]);
    expect(stdout).toStartWith('The export is complete');
    expect(stdout.includes('extends the stored checkpoint')).toBe(kept !== undefined);
    expect(stdout).toContain(vkey);
  });

  test.each(titled(PARTS))(
    'lists missing entries, with exit code 3: %s',
    async (_, [, told, missing, file, key, kept]) => {
      const { exitCode, stdout } = await verify(file, key, kept);
      expect([exitCode, stdout]).toEqual([3, expect.stringContaining(`The export is incomplete: ${told}`)]);
      expect(stdout).toMatch(new RegExp(`^missing +${missing}$`, 'm'));
      expect(stdout.includes('extends the stored checkpoint')).toBe(kept !== undefined);
      const json = await verify(file, key, kept, '--json');
      const { holds, whole, missing: ranges } = JSON.parse(json.stdout);
      expect([json.exitCode, holds, whole]).toEqual([3, true, false]);
      const words = ranges.map(({ first, last }: { first: number; last: number }) =>
        first === last ? String(first) : `${first} to ${last}`,
      );
      expect(words.join(', ')).toBe(missing);
    },
  );

  test.each(titled(FAILS))(
    'names the first invalid line and entry: %s',
    async (_, [, line, index, file, key, kept]) => {
      const { exitCode, stdout, stderr } = await verify(file, key, kept);
      expect([exitCode, stdout]).toEqual([1, '']);
      const place = `${line === '-' ? '' : `line ${line}`}${index === '-' ? '' : `, entry ${index}`}`;
      expect(stderr).toStartWith(`redoubt: the export is invalid: ${place}${place && ': '}`);
      expect(stderr.trimEnd().split('\n').length).toBe(1);
    },
  );

  test('prints JSON for valid and invalid exports', async () => {
    const holds = await verify(sound, vkey, pinned, '--json');
    expect([holds.exitCode, JSON.parse(holds.stdout)]).toEqual([
      0,
      {
        holds: true,
        origin: signer.verifier.name,
        size: 9,
        entries: 9,
        forgotten: 1,
        first: 0,
        last: 8,
        whole: true,
        missing: [],
        vkey,
        vkey_given: true,
      },
    ]);
    const fails = await verify(rewritten, vkey, undefined, '--json');
    expect([fails.exitCode, JSON.parse(fails.stdout)]).toEqual([
      1,
      { holds: false, line: 9, index: 6, why: expect.stringContaining('rewritten') },
    ]);
  });

  test('requires readable files, reads no settings, and leaves no files in the working directory', async () => {
    const empty = temporaryDirectory();
    const at = (...words: string[]) =>
      runIn(empty, target, { SERVICE_PORT: 'wrong' }, 'evidence', 'verify', ...words);
    for (const [words, why] of [
      [[join(empty, 'none')], 'no such file'],
      [[empty], 'it is a directory'],
      [[sound, '--pinned', join(empty, 'none')], 'no such file'],
    ] as const) {
      const { exitCode, stderr } = await at(...words);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(why)]);
    }
    expect((await at(sound)).exitCode).toBe(0);
    expect(readdirSync(empty)).toEqual([]);
  });

  test('reads standard input', async () => {
    const [command, before] = await commandOf(target);
    const words = [...before, 'evidence', 'verify', '-', '--json'];
    const { status, stdout } = spawnSync(command, words, { input: whole, encoding: 'utf8' });
    expect([status, JSON.parse(stdout).entries]).toEqual([0, 9]);
  });
});

/**
 * A substitute for `cryptography` by means of OpenSSL, with the functions that the handbook's program uses.
 */
const SHIM = `import subprocess, tempfile
class Ed25519PublicKey:
    def from_public_bytes(key):
        made = Ed25519PublicKey()
        made.der = bytes.fromhex("302a300506032b6570032100") + key
        return made
    def verify(self, signature, text):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in [("key", self.der), ("signature", signature), ("text", text)]:
                open(f"{folder}/{name}", "wb").write(content)
            subprocess.run(["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", "key",
                "-sigfile", "signature", "-in", "text"], cwd=folder, check=True, capture_output=True)
`;
const runs = (command: string, ...words: string[]) => spawnSync(command, words).status === 0;
const hasPackage = runs('python3', '-c', 'import cryptography');
const canRun = hasPackage || (runs('python3', '--version') && runs('openssl', 'version'));
if (!canRun)
  console.warn("the handbook's program in Python is not run: it needs python3, and cryptography or openssl");

describe.skipIf(!canRun)("the handbook's program", () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/evidence.md'), 'utf8');
  const program = fileWith('verify.py', /^```python\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
  const shim = join(folder, 'cryptography/hazmat/primitives/asymmetric');
  if (!hasPackage) {
    mkdirSync(shim, { recursive: true });
    writeFileSync(join(shim, 'ed25519.py'), SHIM);
  }
  const verify = (file: string, key = '', kept = '') =>
    spawnSync('python3', ['-B', program, file, key, kept], { encoding: 'utf8' });

  test.each(titled(HOLDS))('accepts what the command accepts: %s', (_, [, file, key, kept]) => {
    const { status, stdout, stderr } = verify(file, key, kept);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.includes('that the operator gave you')).toBe(key === undefined);
  });

  test.each(titled(PARTS))(
    'reports the same missing entries as the command: %s',
    (_, [, , missing, file, key, kept]) => {
      const { status, stdout } = verify(file, key, kept);
      expect([status, stdout]).toEqual([3, expect.stringContaining(`missing: ${missing}\n`)]);
    },
  );

  test.each(titled(FAILS))(
    'names the same invalid entry as the command: %s',
    (_, [, line, index, file, key, kept]) => {
      const { status, stdout, stderr } = verify(file, key, kept);
      expect([status, stdout]).toEqual([1, '']);
      if (line !== '-') expect(stderr).toStartWith(`not valid, line ${line}, `);
      expect(stderr).toContain(`entry ${index === '-' ? 'None' : index}: `);
    },
  );
});
