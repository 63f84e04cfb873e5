import { expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { debianVersion } from '../../tools/release/debian-package.ts';

const hasDpkg = spawnSync('dpkg', ['--version']).status === 0;

test.if(hasDpkg)('Debian orders versions as SemVer does', () => {
  const ascending = [
    '0.9.0',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta-x.2',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.10.0',
  ];
  for (const [at, version] of ascending.slice(1).entries()) {
    const words = [debianVersion(ascending[at] ?? ''), 'lt', debianVersion(version)];
    expect([words, spawnSync('dpkg', ['--compare-versions', ...words]).status]).toEqual([words, 0]);
  }
});
