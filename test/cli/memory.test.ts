import { beforeAll, expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { closeSync, createReadStream, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { bundleComment, installationOf } from '../../src/domain/threat/feed-bundle.ts';
import { paddingAfter, tarHeader } from '../../src/lib/tar.ts';
import { newReleaseKey, signFile } from '../support/releases.ts';
import { commandOf, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Needs processes of its own, whose memory is measured.

const MIB = 2 ** 20;
/** A command without a file uses 60 MiB. */
const PEAK_MIB_MAX = 300;
const SAMPLE_MS = 5;

const folder = temporaryDirectory();
const env = { SERVICE_DATA_DIR: join(folder, 'data') };
const north = newReleaseKey();

/** A file of one part, or of one repeated between two others. */
function fileOf(name: string, mib: number, part: string, before = '', after = ''): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  const piece = part.repeat(Math.floor(MIB / part.length));
  writeSync(file, before);
  for (let at = 0; at < mib; at += 1) writeSync(file, piece);
  writeSync(file, after);
  closeSync(file);
  return path;
}

function zipped(name: string, mib: number, part: string, before = '', after = ''): string {
  const path = join(folder, name);
  const plain = Buffer.concat([Buffer.from(before), Buffer.alloc(mib * MIB, part), Buffer.from(after)]);
  writeFileSync(path, gzipSync(plain, { level: 1 }));
  return path;
}

/** A feed signed by a trusted installation. */
function signed(...content: Parameters<typeof zipped>): string {
  const path = zipped(...content);
  const bundle = { installation: installationOf(north.signer.privateKey), serial: 7, epoch: 7 };
  signFile(path, north, bundleComment({ ...bundle, expiresAt: Date.now() + 86_400_000 }));
  return path;
}

/** A backup with a manifest that lists a huge key. */
function hugeKey(): string {
  const head = tarHeader({ name: 'manifest.json', bytes: 4 * MIB, modifiedAtSeconds: 0 });
  const path = fileOf('huge.tar', 4, ' ');
  const bytes = readFileSync(path);
  writeFileSync(path, Buffer.concat([head, bytes, paddingAfter(bytes.length)]));
  return path;
}

beforeAll(async () => {
  writeFileSync(join(folder, 'north.pub'), north.publicFile);
  for (const words of [['init'], ['feed', 'trust', 'add', 'north', join(folder, 'north.pub')]])
    expect((await run('binary', env, ...words)).exitCode).toBe(0);
});

interface Made {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A file that arrives on standard input. */
  readonly stdin?: string;
}

const licenses = (path: string): Made => ({
  words: ['license', 'import', path, '--plan', 'pro', '--dry-run'],
});
const feed = (path: string): Made => ({ words: ['feed', 'import', path] });
const vulnerabilities = (path: string): Made => ({ words: ['vulns', 'import', path] });
const setting = (name: string, path: string): Made => ({ words: ['config', 'check'], env: { [name]: path } });

const VEX = '{"@context":"https://openvex.dev/ns/v0.2.0","statements":[';

const CASES: Readonly<Record<string, () => Made>> = {
  'a feed of blanks': () => feed(signed('blanks.gz', 100, ' ')),
  'a feed of objects': () => feed(signed('objects.gz', 100, ',{}', '{"type":"bundle","objects":[{}', ']}')),
  'a feed of one text': () => feed(signed('text.gz', 100, 'x', '{"type":"bundle","objects":["')),
  'a feed of brackets': () => feed(signed('deep.gz', 100, '[', '{"type":"bundle","objects":[')),
  'a feed to be verified': () => ({ words: ['verify', signed('verify.gz', 100, ' ')] }),
  'vulnerability data of blanks': () => vulnerabilities(zipped('blanks.json.gz', 100, ' ')),
  'vulnerability data of brackets': () => vulnerabilities(zipped('deep.json.gz', 100, '[')),
  'scores of one line': () =>
    vulnerabilities(
      fileOf('line.csv', 100, 'x', '#model_version:v2025.03.14,score_date:2026-11-28\ncve,epss\n'),
    ),
  'licenses of commas': () => licenses(fileOf('commas.csv', 12, ',', 'note\n')),
  'licenses of empty lines': () => licenses(fileOf('empty.ndjson', 12, '\n')),
  'licenses of unknown fields': () => licenses(fileOf('fields.ndjson', 12, '{"x":1}\n')),
  'licenses of bad domains': () =>
    licenses(fileOf('domains.csv', 12, `x,${'a '.repeat(8_000)}\n`, 'note,domains\n')),
  'licenses of good domains': () =>
    licenses(fileOf('sites.csv', 12, `x,${'aa.com '.repeat(2_000)}\n`, 'note,domains\n')),
  'licenses beyond the limit': () => licenses(fileOf('large.csv', 40, 'x,\n')),
  'an export of one line': () => ({ words: ['evidence', 'verify', fileOf('line.ndjson', 100, 'x')] }),
  'an export by the standard input': () => ({
    words: ['evidence', 'verify', '-'],
    stdin: fileOf('stdin.ndjson', 100, 'x'),
  }),
  'a key by the standard input': () => ({ words: ['license', 'find', '-'], stdin: fileOf('key', 100, 'x') }),
  'a backup with a huge manifest': () => ({ words: ['backup', 'verify', hugeKey()] }),
  'a backup with an endless identity': () => ({
    words: ['backup', 'verify', hugeKey(), '--age-identity', '/dev/zero'],
  }),
  'an endless address of a database': () => ({ words: ['store', 'copy', '--to-file', '/dev/zero'] }),
  'an endless file of settings': () => setting('SERVICE_CONFIG', '/dev/zero'),
  'a huge catalogue': () => setting('SERVICE_CATALOG_FILE', fileOf('catalogue.json', 100, '[')),
  'a VEX document of brackets': () => vulnerabilities(zipped('vex.json.gz', 100, '[', VEX)),
  'a VEX document of one text': () => vulnerabilities(zipped('text.json.gz', 100, 'x', `${VEX}"`)),
  'endless certificates of a target': () => ({
    words: ['notify', 'add', 'siem', 'syslog+tls://siem.example:6514', '--ca', '/dev/zero'],
  }),
  'an endless logo': () => setting('SERVICE_BRAND_LOGO', '/dev/zero'),
  'an endless security.txt': () => setting('SERVICE_SECURITY_TXT', '/dev/zero'),
  'an endless secret': () => setting('SERVICE_STRIPE_SECRET_KEY_FILE', '/dev/zero'),
};

test.each(Object.entries(CASES))('%s is refused in a sentence and in limited memory', async (_, make) => {
  const made = make();
  const [program, before] = await commandOf('binary');
  const child = spawn(program, [...before, ...made.words], {
    env: { PATH: process.env.PATH ?? '', ...env, ...made.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The command may end before it has read everything.
  child.stdin.on('error', () => {});
  if (made.stdin === undefined) child.stdin.end();
  else createReadStream(made.stdin).pipe(child.stdin);
  let peakMib = 0;
  const sampling = setInterval(() => {
    peakMib = Math.max(peakMib, peakMibOf(child.pid));
  }, SAMPLE_MS);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [errors, exitCode, shown] = await Promise.all([text(child.stderr), ended, text(child.stdout)]);
  const output = errors + shown;
  clearInterval(sampling);
  expect([1, 2]).toContain(exitCode ?? -1);
  expect(output.trim()).toMatch(/^(redoubt|error)/);
  expect(output).not.toMatch(/\n {4}at /);
  expect(peakMib).toBeLessThan(PEAK_MIB_MAX);
});

/** Of a process, 0 once it has ended. */
function peakMibOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}
