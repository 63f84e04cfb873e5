import { describe, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createLog, LOG_LEVELS, type LogLevel } from '../../src/lib/log.ts';
import { binary, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

function logTo(level: LogLevel, json: boolean, priorities = false) {
  const written: string[] = [];
  return { log: createLog({ level, json, priorities, write: (text) => written.push(text) }), written };
}

describe('a log for machines', () => {
  test('writes one JSON object a line, with any texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (message, fact) => {
        const { log, written } = logTo('debug', true);
        log.error(message, { fact, count: 3, on: true, none: null, absent: undefined });
        const [line = '', ...more] = written.join('').trimEnd().split('\n');
        expect(more).toEqual([]);
        const { time, ...rest } = JSON.parse(line);
        expect(new Date(time).toISOString()).toBe(time);
        expect(rest).toEqual({ level: 'error', message, fact, count: 3, on: true, none: null });
      }),
    );
  });
});

describe('a log for people', () => {
  test('shows time, level, message and facts on one line', () => {
    const { log, written } = logTo('info', false);
    log.warn('late', { seconds: 2, absent: undefined });
    expect(written.join('')).toMatch(/^\d\d:\d\d:\d\d\.\d{3} warn {2}late seconds=2\n$/);
  });

  test('stays on one line and sends no terminal commands, with any texts', () => {
    const { log, written } = logTo('info', false);
    log.error('two\nlines', { fault: 'x\r\n12:00:00.000 info  forged \u001b[2J\u009b2J' });
    const text = written.join('');
    expect(text.slice(0, -1)).not.toMatch(/\p{Cc}/u);
    expect(text).toEndWith('\n');
  });
});

test('log lines have priorities when the journal reads them, and otherwise none', async () => {
  const executable = await binary();
  const startsOf = (inodesBeside: bigint) => {
    const path = join(temporaryDirectory(), 'stderr');
    const file = openSync(path, 'w');
    const { dev, ino } = fstatSync(file, { bigint: true });
    const settings = {
      SERVICE_DATA_DIR: temporaryDirectory(),
      SERVICE_HOST: '203.0.113.1',
      SERVICE_ODD: '1',
    };
    const env = { ...settings, JOURNAL_STREAM: `${dev}:${ino + inodesBeside}` };
    spawnSync(executable, ['serve'], { env, stdio: ['ignore', 'ignore', file] });
    return [...readFileSync(path, 'utf8').matchAll(/^(.*?)(\{.*unknown setting|redoubt: )/gm)].map(
      ([, start]) => start,
    );
  };
  expect([0n, 1n].map(startsOf)).toEqual([
    ['<4>', '<3>'],
    ['', ''],
  ]);
});

describe('any log', () => {
  test.each([...LOG_LEVELS])('of level %s omits lower levels', (level) => {
    const { log, written } = logTo(level, true);
    for (const each of LOG_LEVELS) log[each](each);
    log.flush();
    const levels = written
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).level);
    expect(levels).toEqual(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)));
  });

  test('gives the journal the priority of each line', () => {
    const { log, written } = logTo('debug', true, true);
    for (const each of LOG_LEVELS) log[each](each);
    log.flush();
    const starts = [...written.join('').matchAll(/^(<.>)\{.*"message":"(\w+)"/gm)];
    expect(starts.map(([, ...words]) => words.join(''))).toEqual([
      '<7>debug',
      '<6>info',
      '<4>warn',
      '<3>error',
    ]);
  });

  test('buffers info lines and writes them soon, in order; a warning flushes them', async () => {
    const { log, written } = logTo('info', true);
    log.info('one');
    log.info('two');
    expect(written).toEqual([]);
    log.warn('three');
    expect(written.join('').match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
    log.info('four');
    await until(() => written.join('').includes('four'));
  });

  test('buffers a limited text, and nothing once it was flushed', () => {
    const { log, written } = logTo('info', true);
    for (let index = 0; index < 2_000; index++) log.info('x'.repeat(100));
    expect(written.length).toBeGreaterThan(1);
    log.flush();
    const flushed = written.length;
    log.flush();
    expect(written.length).toBe(flushed);
  });
});
