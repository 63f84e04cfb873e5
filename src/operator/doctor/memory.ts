import { readFileSync } from 'node:fs';
import { type Finding, inMb, warning } from './finding.ts';
import { numberOf, type Unit } from './unit.ts';

/** What the service takes with all its threads at work, in bytes. */
const NEEDED_BYTES = 256 * 1024 * 1024;

/** Bytes of memory that programs of this host can still get; undefined where the system does not tell. */
export function availableMemory(): number | undefined {
  try {
    const [, kib] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) * 1024;
  } catch {
    return undefined;
  }
}

/** Whether there is enough memory. */
export function judgeMemory(available: number | undefined, unit: Unit | undefined): Finding[] {
  const findings: Finding[] = [];
  const needed = `the service may require ${inMb(NEEDED_BYTES)}`;
  if (available !== undefined && available < NEEDED_BYTES) {
    const what = `this host has ${inMb(available)} of free memory, but ${needed}`;
    findings.push(warning('memory', what, 'stop other programs, or add memory'));
  }
  const most = numberOf(unit?.properties.MemoryMax);
  if (most !== undefined && most < NEEDED_BYTES) {
    const what = `${unit?.id} is limited to ${inMb(most)} of memory, but ${needed}`;
    findings.push(
      warning('unit-memory', what, `systemctl edit ${unit?.id}: set MemoryMax=1G or more under [Service]`),
    );
  }
  return findings;
}
