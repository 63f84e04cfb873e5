import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { prepareDatabase } from '../../src/storage/engine/database.ts';
import { temporaryDirectory } from './temporary.ts';

/** The path of a new, empty database of this version. */
export function newDatabase(): string {
  const path = databasePath(temporaryDirectory());
  prepareDatabase(path);
  return path;
}
