import { afterAll } from 'bun:test';
import { killServices } from './service.ts';
import { collectTemporaryFiles, removeTemporaryDirectories } from './temporary.ts';

collectTemporaryFiles();

// A test runner ends without an event in its process: files of a run are deleted after its last test.
afterAll(() => {
  killServices();
  removeTemporaryDirectories();
});
