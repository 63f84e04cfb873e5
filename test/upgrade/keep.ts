import { version } from '../../package.json';
import { CHANGELOG, keptFolder } from './kept.ts';
import { recordVersion } from './record-version.ts';
import { releasedIn } from './unkept.ts';

// Records the data of a user of the version in package.json, and the answers about it: bun
// test/upgrade/keep.ts

if (releasedIn(CHANGELOG).includes(version))
  throw new Error(`${version} is released: what its users have does not change any more`);

await recordVersion(keptFolder(version));
