import { readFileSync } from 'node:fs';

/** Linux reports processor time in hundredths of a second. */
const MS_PER_TICK = 10;

/** The processor time of a process, with all its threads, in milliseconds (proc_pid_stat(5)). */
export function processorMsOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name of the program, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [userTicks, systemTicks] = fields.slice(11, 13).map(Number);
  return ((userTicks ?? 0) + (systemTicks ?? 0)) * MS_PER_TICK;
}
