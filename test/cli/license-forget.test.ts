import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningService, SURE, start } from '../support/service.ts';

test.each([false, true])(
  'forgotten data is in no file of the data directory (server running: %p)',
  async (isServed) => {
    // Its own process: every file in its data directory is read.
    const service: RunningService = await start('binary');
    if (!isServed) await service.end();
    const { license_id: id } = await service.issue(
      '--plan',
      'pro',
      '--customer',
      'Yak Secret',
      '--note',
      'yak-note-1',
    );
    await service.command('license', 'change', id, '--note', 'yak-note-2', '--email', 'yak@secret.example');
    await service.command('license', 'issue', '--plan', 'pro', '--customer', 'Kept Ltd');
    await service.command('license', 'forget', id, ...SURE);
    const directory = service.env.SERVICE_DATA_DIR ?? '';
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
    expect(texts.join('')).toContain('Kept Ltd');
    // Each is long enough not to appear by chance in the random bytes of the reserve.
    for (const forgotten of ['Yak Secret', 'yak-note-', 'yak@secret'])
      expect([forgotten, texts.join('').toLowerCase().includes(forgotten.toLowerCase())]).toEqual([
        forgotten,
        false,
      ]);
    expect(await service.command('audit', '--subject', id)).toContain('[forgotten] → [forgotten]');
    await service.end();
  },
);
