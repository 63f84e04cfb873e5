import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const trust = {
  tables,
} satisfies Subject;
