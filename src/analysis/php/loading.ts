import { ORIGIN } from '../origin.ts';
import { tokensFrom } from './arguments.ts';
import { isDangerousName, RUNS_CODE, RUNS_COMMAND } from './functions.ts';
import { PHP } from './signals.ts';
import { originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

const PRELOADS = /^(?:LD_PRELOAD|LD_AUDIT)=./;
/** A variable of the environment is set: one of them has programs load a library before all others. */
export function judgeEnvironment(walk: Walk, [first = UNKNOWN]: readonly Value[], at: number): void {
  const [begins, next] = tokensFrom(walk, 0);
  const text = first.text ?? `${begins?.text ?? ''}${next?.text === '.' ? '/' : ''}`;
  if (PRELOADS.test(text)) walk.report(PHP.libraryPreloaded, at);
}

/** The file reads addresses of a scheme of its own, from wherever it likes. */
export function noteScheme({ noted }: Walk, [scheme]: readonly Value[]): void {
  if (scheme?.text) noted.schemes.add(scheme.text.toLowerCase());
}

/** Whether a path is one that the file itself reads, which takes in what a caller sends. */
export function isOwnStream({ noted, requestReads }: Walk, path: string): boolean {
  const end = path.indexOf('://');
  return end > 0 && requestReads > 0 && noted.schemes.has(path.slice(0, end).toLowerCase());
}

const CALLS_FROM_TEMPLATE = /:function\(\s{0,4}\\?['"]([a-z_]{2,30})/i;

/** A method of templates (XSL): they can call functions of PHP where that is switched on for all. */
export function judgeTemplate(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const { noted } = walk;
  if (name === 'registerphpfunctions') noted.templatesCall ||= args.length === 0;
  else if (name !== 'loadxml' || args[0] === undefined) return;
  const [first = UNKNOWN] = args;
  const called =
    CALLS_FROM_TEMPLATE.exec(first.text?.slice(0, TEMPLATE_CHARS_MAX) ?? '')?.[1]?.toLowerCase() ?? '';
  const isGiven = (originsOf(first) & (ORIGIN.request | ORIGIN.partial)) === ORIGIN.request;
  if (isGiven || RUNS_CODE.has(called) || RUNS_COMMAND.has(called) || isDangerousName(called))
    noted.templateAt ??= at;
}
const TEMPLATE_CHARS_MAX = 4_000;
