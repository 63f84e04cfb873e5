import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const signing = {
  tables,
  filledByStart: [tables.signingKeys],
} satisfies Subject;
