import { afterEach, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnalysisRequest } from '../../src/analysis/analysis.ts';
import { type Analyst, type AnalystAnswer, openAnalyst } from '../../src/server/analyst.ts';
import { until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const opened: Analyst[] = [];
afterEach(() => {
  for (const analyst of opened.splice(0)) analyst.kill();
});

/** Runs a program instead of the analysis; each text that it prints is the fault of an answer. */
function open(program: readonly [string, ...string[]]) {
  const answers: AnalystAnswer[] = [];
  let deaths = 0;
  const analyst = openAnalyst(program, {
    answered: (answer) => answers.push(answer),
    died: () => {
      deaths += 1;
    },
  });
  opened.push(analyst);
  return { analyst, answers, deaths: () => deaths };
}

function script(source: string) {
  const path = join(temporaryDirectory(), 'program.ts');
  writeFileSync(
    path,
    `const say = (fault: string) => process.stdout.write(JSON.stringify({ fault }) + '\\n');\n${source}`,
  );
  return open([process.execPath, path]);
}

const ECHO = 'for await (const line of console) say(JSON.parse(line).content);';
const content = (text: string): AnalysisRequest => ({ inputType: 'text', content: text });

test('contents arrive unchanged, with any characters', async () => {
  const contents = [
    '',
    'a\nb\r\n\u2028',
    '\u0000',
    '\ud800 and \udfff',
    '{"fault":"x"}\n',
    'é😀'.repeat(200_000),
  ];
  const { analyst, answers } = script(ECHO);
  for (const each of contents) analyst.ask(content(each));
  await until(() => answers.length === contents.length);
  expect(answers.map((answer) => answer !== 'ready' && 'fault' in answer && answer.fault)).toEqual(contents);
});

test('a hang inside a regular expression is ended', async () => {
  const { analyst, answers, deaths } = script(
    "say(String(process.pid)); /^(a+)+$/.test('a'.repeat(64) + 'b');",
  );
  const [pid] = await until(() => answers.length > 0 && answers);
  analyst.kill();
  await until(() => deaths() > 0);
  await until(() => !existsSync(`/proc/${(pid as { fault: string }).fault}`));
});

test.each([
  ['ends', 'process.exit(0);'],
  ['is killed', "process.kill(process.pid, 'SIGKILL');"],
  ['prints something that is not an answer', "console.log('{');"],
  ['prints more than an answer can have', "process.stdout.write('x'.repeat(9 * 1024 * 1024) + '\\n');"],
])('a process that %s is dead', async (_, source) => {
  const { analyst, answers, deaths } = script(`${source}\n${ECHO}`);
  await until(() => deaths() > 0);
  analyst.ask(content('for nobody'));
  analyst.kill();
  expect(answers).toEqual([]);
});

test('a process that cannot be started is dead, and later calls are harmless', async () => {
  const { analyst, deaths } = open([join(temporaryDirectory(), 'missing')]);
  analyst.ask(content('for nobody'));
  analyst.kill();
  await until(() => deaths() > 0);
});
