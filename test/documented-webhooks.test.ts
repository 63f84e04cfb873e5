import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { newTargetSecret } from '../src/domain/notification/target-secret.ts';
import { signatureHeaders } from '../src/domain/notification/webhook-signature.ts';

// Runs the code of the handbook that verifies webhooks. Needs php, python3 and node.

const PAGE = readFileSync(join(import.meta.dir, '../docs/notifications.md'), 'utf8');

function blockOf(language: string): string {
  let found = '';
  const marked = new Marked();
  marked.walkTokens(marked.lexer(PAGE), (token) => {
    if (token.type === 'code' && token.lang === language) found = token.text;
  });
  return found;
}

const json = JSON.stringify;
/** How each language runs its block, and prints whether arguments are genuine. */
const LANGUAGES: Readonly<Record<string, (args: readonly string[]) => readonly [string, ...string[]]>> = {
  php: (args) => [
    'php',
    '-r',
    `${blockOf('php')} echo json_encode(isGenuine(...json_decode($argv[1])));`,
    json(args),
  ],
  python: (args) => [
    ...([
      'python3',
      '-c',
      `${blockOf('python')}\nimport json, sys\nprint(json.dumps(is_genuine(*json.loads(sys.argv[1]))))`,
    ] as const),
    json(args),
  ],
  js: (args) => [
    'node',
    '-e',
    `${blockOf('js')}\nconsole.log(isGenuine(...JSON.parse(process.argv[1])))`,
    json(args),
  ],
};

const isThere = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test.each(Object.entries(LANGUAGES))(
  'the code in %s accepts what is sent, and nothing that was changed',
  (_, commandOf) => {
    const [program] = commandOf([]);
    if (!isThere(program)) return console.warn(`skipped: there is no ${program}`);
    const isGenuine = (...args: string[]) => {
      const [run, ...rest] = commandOf(args);
      return JSON.parse(execFileSync(run, rest, { encoding: 'utf8' }));
    };
    const [secret, previous, body] = [
      newTargetSecret(),
      newTargetSecret(),
      '{"type":"alert.opened","data":{"x":"é"}}',
    ];
    const keys = { secrets: [secret, previous], privateKey: undefined };
    const of = (now: number) => {
      const headers = signatureHeaders('evt_1', body, keys, now);
      return [headers['webhook-timestamp'], headers['webhook-signature']] as const;
    };
    const [timestamp, signatures] = of(Date.now());
    expect(isGenuine(secret, 'evt_1', timestamp, signatures, body)).toBe(true);
    expect(isGenuine(previous, 'evt_1', timestamp, signatures, body)).toBe(true);
    expect(isGenuine(newTargetSecret(), 'evt_1', timestamp, signatures, body)).toBe(false);
    expect(isGenuine(secret, 'evt_2', timestamp, signatures, body)).toBe(false);
    expect(isGenuine(secret, 'evt_1', timestamp, signatures, `${body} `)).toBe(false);
    expect(isGenuine(secret, 'evt_1', timestamp, 'v1,x v1a,y', body)).toBe(false);
    const [old, oldSignatures] = of(Date.now() - 600_000);
    expect(isGenuine(secret, 'evt_1', old, oldSignatures, body)).toBe(false);
  },
);
