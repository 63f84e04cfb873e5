import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const evidence = {
  tables,
} satisfies Subject;
