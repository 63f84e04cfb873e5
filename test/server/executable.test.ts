import { expect, test } from 'bun:test';
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchExecutable } from '../../src/server/executable.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('an executable that was replaced, modified or removed since the start is detected', () => {
  const path = join(temporaryDirectory(), 'redoubt');
  writeFileSync(path, 'one');
  const changeOf = watchExecutable(path);
  expect(changeOf()).toBeUndefined();
  utimesSync(path, 1, 1);
  expect([changeOf(), watchExecutable(path)()]).toEqual(['replaced', undefined]);
  const afterwards = watchExecutable(path);
  writeFileSync(`${path}.new`, 'two');
  renameSync(`${path}.new`, path);
  utimesSync(path, 1, 1);
  expect(afterwards()).toBe('replaced');
  rmSync(path);
  expect(afterwards()).toBe('missing');
});

test('a run from source reports nothing about the runtime’s own executable', () => {
  expect(watchExecutable()()).toBeUndefined();
});
