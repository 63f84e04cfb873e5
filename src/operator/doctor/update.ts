import { readUnfinished } from '../update/unfinished.ts';
import { type Finding, warning } from './finding.ts';
import { executableOf, type Unit } from './unit.ts';

/** What it means that an update has noted its beginning and not its end. */
export function examineUpdate(unit: Unit | undefined): Finding[] {
  const executable = (unit && executableOf(unit)) ?? process.execPath;
  const unfinished = readUnfinished(executable);
  if (unfinished === undefined) return [];
  const { from, to, at } = unfinished;
  return [
    warning(
      'update-unfinished',
      `an update of ${executable} from redoubt ${from} to ${to}, started at ${at}, is unfinished`,
      'run "redoubt update" with the same file again, or "redoubt update --back"',
    ),
  ];
}
