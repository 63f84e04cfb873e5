import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { MEMBER_BYTES_MAX, tarHeader, tarHeaderIn } from '../../src/lib/tar.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import '../support/properties.ts';

const ofSize = (bytes: number, isPrivate = false) => ({
  name: 'redoubt.sqlite',
  bytes,
  modifiedAtSeconds: 1_763_942_400,
  ...(isPrivate ? { isPrivate } : {}),
});

test('a header of any size reads as written, and not with one byte changed', () => {
  const sizes = fc.oneof(fc.nat(), fc.integer({ min: MEMBER_BYTES_MAX - 2, max: Number.MAX_SAFE_INTEGER }));
  fc.assert(
    fc.property(
      sizes,
      fc.boolean(),
      fc.nat({ max: 511 }),
      fc.integer({ min: 1, max: 255 }),
      (bytes, isPrivate, at, difference) => {
        const header = tarHeader(ofSize(bytes, isPrivate));
        expect(tarHeaderIn(header)).toEqual(ofSize(bytes, isPrivate));
        header[at] = (header[at] ?? 0) ^ difference;
        expect(tarHeaderIn(header)).toBeUndefined();
      },
    ),
  );
});

test.each([0, 1, MEMBER_BYTES_MAX, MEMBER_BYTES_MAX + 1, 5_000_000_000_000])(
  'tar reads a size of %d bytes',
  (bytes) => {
    const path = join(temporaryDirectory(), 'header.tar');
    writeFileSync(path, tarHeader(ofSize(bytes, true)));
    const { stdout } = spawnSync('tar', ['--list', '--verbose', '--file', path], { encoding: 'utf8' });
    expect(stdout).toMatch(new RegExp(`^-rw------- .* ${bytes} .* redoubt[.]sqlite`));
  },
);
