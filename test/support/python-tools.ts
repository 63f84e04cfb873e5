import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PYTHON = join(import.meta.dir, '../../.ci/tools/venv/bin/python');

/** Whether .ci/run has installed the packages of `.ci/tools/requirements.txt`. */
export const hasPythonTools = existsSync(PYTHON);

/** Runs a program of this folder; gives what it prints as JSON. */
export async function runPython(name: string, ...args: string[]) {
  const { stdout } = await promisify(execFile)(PYTHON, [join(import.meta.dir, name), ...args]);
  return JSON.parse(stdout);
}
