import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const analyses = {
  tables,
} satisfies Subject;
