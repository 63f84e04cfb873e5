import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { version } from '../../package.json';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type Answered, answersTo, type Question, readable, verifiable } from './answers.ts';
import { startAt } from './held-service.ts';
import { CHANGELOG, type KeptAnswers, keptFolder, SETTINGS, unpacked } from './kept.ts';
import { tellStory } from './story.ts';
import { releasedIn } from './unkept.ts';

// Keeps what a user of the version in package.json has, and what it answers about that: bun test/upgrade/keep.ts
// The keys in it are those of an installation that is gone when this ends.

const YEARS_MS = 3_650 * DAY_MS;

if (releasedIn(CHANGELOG).includes(version))
  throw new Error(`${version} is released: what its users have does not change any more`);

const directory = temporaryDirectory();
const told = await tellStory(directory);
const contract = await command('openapi');
// A backup knows of those before it.
await command('backup', 'create', '--json');
const backup = join(temporaryDirectory(), 'backup.tar');
const { created_at, counts } = await command('backup', 'create', '--to', backup, '--json');
const empty = Object.keys(counts).filter((table) => counts[table] === 0);
if (empty.length > 0) throw new Error(`the story tells nothing for the tables ${empty.join(', ')}`);

// By then everything may be signed anew.
const at = Date.parse(created_at) + 2 * MINUTE_MS;
const answers = await askedAt(at, async (ask) => {
  const read = await ask(readable(contract, told));
  return [...read, ...(await ask(verifiable(told, read)))];
});
const again = await askedAt(at, (ask) => ask(answers));
for (const [index, answered] of answers.entries()) {
  if (!isDeepStrictEqual(again[index], answered))
    throw new Error(
      `${answered.path} is answered differently when asked again: run this when it is not midnight (UTC)`,
    );
}
const later = await askedAt(at + YEARS_MS, (ask) => ask(answers));
keep(
  answers.map((answered, index) =>
    isDeepStrictEqual(later[index], answered) ? { ...answered, lasts: true } : answered,
  ),
);

async function command(...words: string[]) {
  const env = { ...SETTINGS, SERVICE_DATA_DIR: directory };
  const { exitCode, stdout, stderr } = await run('binary', env, ...words);
  if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Asks of what is in the backup, each time unpacked anew. */
async function askedAt(
  heldAt: number,
  ask: (answersTo: (questions: readonly Question[]) => Promise<Answered[]>) => Promise<Answered[]>,
): Promise<Answered[]> {
  const service = await startAt(heldAt, unpacked(backup));
  try {
    return await ask((questions) => answersTo(service, told.keys, questions));
  } finally {
    await service.end();
  }
}

function keep(answers: KeptAnswers['answers']): void {
  const folder = keptFolder(version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'backup.tar.gz'), gzipSync(readFileSync(backup), { level: 9 }));
  // A line for each, so that a difference can be read.
  const lines = answers.map((answered) => JSON.stringify(answered)).join(',\n');
  const keys = JSON.stringify(told.keys);
  writeFileSync(join(folder, 'answers.json'), `{"at":${at},"keys":${keys},"answers":[\n${lines}\n]}\n`);
}
