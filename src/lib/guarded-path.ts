import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { foreignStep, isOpenStep, stepsTo } from './path-steps.ts';

const WRITABLE_BY_OTHERS = 0o022;

/** Why other users (except root) could place their own file at a path, for the operator; undefined if they cannot. */
export function whyReplaceable(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder))
    return `the directory ${folder} does not exist. Create it without access for other users`;
  const steps = stepsTo(folder);
  const foreign = foreignStep(steps);
  if (foreign)
    return `${foreign.path} belongs to another user, who could listen there instead. Use another directory`;
  // In a folder such as /tmp, others cannot replace the file, but could create it first.
  const open = steps.find(
    (step) =>
      isOpenStep(step, WRITABLE_BY_OTHERS) ||
      (step === steps.at(-1) && (step.status.mode & WRITABLE_BY_OTHERS) !== 0),
  );
  return open === undefined
    ? undefined
    : `other users can write to ${open.path} and could listen there instead. Run chmod go-w ${open.path}, or use another directory`;
}
