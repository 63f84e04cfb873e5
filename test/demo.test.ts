import { expect, test } from 'bun:test';
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { binary, until } from './support/service.ts';
import { temporaryDirectory } from './support/temporary.ts';

test('every line that the demonstration prints works as pasted, and its data go with it', async () => {
  const TMPDIR = temporaryDirectory();
  const demo = spawn(await binary(), ['serve', '--demo'], {
    env: { TMPDIR, SERVICE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => demo.once('exit', resolve));
  try {
    let printed = '';
    demo.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await until(() => printed.includes('Ctrl+C'));
    const commands = printed.split('\n').filter((line) => line.startsWith('  curl'));
    expect(commands.length).toBe(5);
    for (const command of commands) {
      const answer = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
      expect(answer.success ?? answer.valid).toBe(true);
      if (command.includes('/threat-feed')) expect(answer.data.entries).toHaveLength(3);
    }
    expect(readdirSync(TMPDIR).length).toBe(1);
  } finally {
    demo.kill('SIGINT');
  }
  expect([await ended, readdirSync(TMPDIR)]).toEqual([0, []]);
}, 20_000);
