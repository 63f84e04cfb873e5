import { isHostileCommand } from '../command.ts';
import { isInstaller, ShellCommands } from '../shell-commands.ts';
import type { Findings } from '../signal.ts';
import { SCRIPT } from './signals.ts';

/** Scripts that npm runs at installation (npm-scripts). */
const HOOKS = ['preinstall', 'install', 'postinstall', 'prepare'];
/** A program in an argument that runs a response, and a download that is made executable and started. */
const RUNS_ANSWER = /\bnode\s+-e\s[^\n]{0,400}\bhttps?\b[^\n]{0,400}\b(?:eval|Function|exec|spawn)\b/;
const STARTS_DOWNLOAD = /\b(?:curl|wget)\b[^\n]{0,300}(?:&&|;)\s{0,3}(?:\.\/|\/(?:tmp|var\/tmp|dev\/shm)\/)/;
const ADDRESS = /https?:\/\/[^\s"'|;]{4,300}/;

/** Reports malicious installation scripts of a package; false if there are none. */
export function judgePackage(content: string, findings: Findings): boolean {
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch {
    return false;
  }
  const { scripts } = document as { scripts?: unknown };
  if (typeof scripts !== 'object' || scripts === null) return false;
  let isFound = false;
  for (const [name, command] of Object.entries(scripts)) {
    if (!HOOKS.includes(name) || typeof command !== 'string') continue;
    if (isInstaller(ADDRESS.exec(command)?.[0] ?? '')) continue;
    const isHostile =
      isHostileCommand(command) ||
      new ShellCommands().runsFetched(command) ||
      RUNS_ANSWER.test(command) ||
      STARTS_DOWNLOAD.test(command);
    if (!isHostile) continue;
    findings.add(SCRIPT.hostileCommand, `in the script ${name}`);
    isFound = true;
  }
  return isFound;
}
