import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const credentials = {
  tables,
  filledByStart: [tables.credentialKeys],
} satisfies Subject;
