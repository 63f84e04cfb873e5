import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { type Answered, answersTo, type Question, readable, verifiable } from './answers.ts';
import { startAt } from './held-service.ts';
import { type KeptAnswers, SETTINGS, unpacked } from './kept.ts';
import { tellStory } from './story.ts';

const YEARS_MS = 3_650 * DAY_MS;

/**
 * Writes a backup of an installation that uses every feature, and its answers, into a folder. The keys in it
 * are those of an installation that is deleted when this ends.
 */
export async function recordVersion(folder: string): Promise<void> {
  const directory = temporaryDirectory();
  const command = async (...words: string[]) => {
    const env = { ...SETTINGS, SERVICE_DATA_DIR: directory };
    const { exitCode, stdout, stderr } = await run('binary', env, ...words);
    if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };

  const toldStory = await tellStory(directory);
  const contract = await command('openapi');
  // The second backup contains the entry of the first.
  await command('backup', 'create', '--json');
  const backup = join(temporaryDirectory(), 'backup.tar');
  const { created_at, counts } = await command('backup', 'create', '--to', backup, '--json');
  const empty = Object.keys(counts).filter((table) => counts[table] === 0);
  if (empty.length > 0) throw new Error(`the story leaves tables empty: ${empty.join(', ')}`);

  // By then every signed answer may be signed again.
  const at = Date.parse(created_at) + 2 * MINUTE_MS;
  const answers = await askedAt(backup, at, toldStory.keys, async (ask) => {
    const read = await ask(readable(contract, toldStory));
    return [...read, ...(await ask(verifiable(toldStory, read)))];
  });
  const again = await askedAt(backup, at, toldStory.keys, (ask) => ask(answers));
  for (const [index, answered] of answers.entries()) {
    if (!isDeepStrictEqual(again[index], answered))
      throw new Error(
        `${answered.path} is answered differently when asked again: run this when it is not midnight (UTC)`,
      );
  }
  const later = await askedAt(backup, at + YEARS_MS, toldStory.keys, (ask) => ask(answers));
  const kept: KeptAnswers['answers'] = answers.map((answered, index) =>
    isDeepStrictEqual(later[index], answered) ? { ...answered, lasts: true } : answered,
  );

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'backup.tar.gz'), gzipSync(readFileSync(backup), { level: 9 }));
  // One line each, so that a diff is readable.
  const lines = kept.map((answered) => JSON.stringify(answered)).join(',\n');
  const keys = JSON.stringify(toldStory.keys);
  writeFileSync(join(folder, 'answers.json'), `{"at":${at},"keys":${keys},"answers":[\n${lines}\n]}\n`);
}

/** Sends the requests to a service with the contents of a backup, unpacked again each time. */
async function askedAt(
  backup: string,
  heldAt: number,
  keys: KeptAnswers['keys'],
  ask: (answersTo: (questions: readonly Question[]) => Promise<Answered[]>) => Promise<Answered[]>,
): Promise<Answered[]> {
  const service = await startAt(heldAt, unpacked(backup));
  try {
    return await ask((questions) => answersTo(service, keys, questions));
  } finally {
    await service.end();
  }
}
