import { afterAll } from 'bun:test';
import { killServices } from './service.ts';
import { removeTemporaryDirectories } from './temporary.ts';

// A test runner ends without telling its process: what a run has made goes when its last test is over.
afterAll(() => {
  killServices();
  removeTemporaryDirectories();
});
