import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const signals = {
  tables,
} satisfies Subject;
