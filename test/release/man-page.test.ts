import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { SETTINGS, type Setting } from '../../src/settings/settings.ts';
import { describedProgram } from '../../tools/release/described-program.ts';
import { manPage } from '../../tools/release/man-page.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const isCi = process.env.CI === 'true';
const has = (command: string) => isCi || spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const root = await describedProgram();
const path = join(temporaryDirectory(), 'redoubt.1');
writeFileSync(path, manPage(root, '1.2.3', '2026-11-24'));

const pathsOf = (command: Command, before = ''): string[] =>
  command.commands.flatMap((child) => {
    const here = `${before}${child.name()}`;
    return [here, ...pathsOf(child, `${here} `)];
  });

test.if(has('man'))('man shows every command, option, argument and setting', () => {
  const { status, stdout, stderr } = spawnSync('man', ['--warnings', '-l', path], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, MANWIDTH: '1000', LC_ALL: 'C.UTF-8' },
  });
  expect([status, stderr]).toEqual([0, '']);
  const paths = pathsOf(root);
  expect(paths.length).toBeGreaterThan(50);
  for (const name of paths) expect(stdout).toContain(` redoubt ${name}`);
  for (const { env, help } of Object.values<Setting>(SETTINGS)) {
    expect(stdout).toContain(`\n       ${env}`);
    expect(stdout.replace(/\s+/g, ' ')).toContain(help);
  }
  expect(stdout).toContain('redoubt 1.2.3');
  expect(stdout).toContain("redoubt evidence verify evidence.ndjson --vkey 'example.com/evidence/1+");
});

test.if(has('mandoc'))('mandoc reports nothing except the length of an example', () => {
  const { stdout } = spawnSync('mandoc', ['-Tlint', path], { encoding: 'utf8' });
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('longer than 80 bytes'))).toEqual(
    [],
  );
});
