import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const vulnerabilities = {
  tables,
} satisfies Subject;
