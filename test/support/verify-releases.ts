import { readFileSync } from 'node:fs';
import { verifyRelease } from '../../src/operator/verify-release.ts';

// Verifies the given files, on the runtime that starts it.

const { paths, keys }: { paths: string[]; keys: string[] } = JSON.parse(readFileSync(0, 'utf8'));
const found = paths.map((path) => {
  try {
    return { version: verifyRelease(path, keys, Date.now()).version };
  } catch (error) {
    return { refused: (error as Error).message };
  }
});
console.log(JSON.stringify(found));
