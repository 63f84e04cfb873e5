import { namesBrand } from '../php/brands.ts';
import { placeIn, WHOLE } from '../place.ts';
import type { Findings } from '../signal.ts';
import { LANGUAGES } from './languages.ts';
import { SCRIPT } from './signals.ts';

/** Abilities that a page for display does not need: commands, files, programs and connections. */
const CAN_HARM =
  /\.\s*exec\s*\(|ProcessBuilder|getRuntime|new\s+(?:java\.io\.)?(?:File|RandomAccess|Socket)\w{0,20}\s*\(|defineClass|createobject|wscript|ProcessStartInfo|Process\s*\.\s*Start|System\s*\.\s*IO|\b(?:eval|execute)\b|<cf(?:execute|file)/i;

/** The recognised kind: a standalone program, a page with embedded code, or neither. */
export type ScriptKind = 'program' | 'page' | undefined;

/**
 * Analyses programs in languages other than PHP and JavaScript. Recognises the language by its keywords; ignores comments.
 *
 * @param lower the content in lower case
 */
export function analyzeScript(content: string, lower: string, findings: Findings): ScriptKind {
  let kind: ScriptKind;
  const where = placeIn(content, '', findings.linesBefore);
  for (const { words, isIn, isProgram, comment, rules } of LANGUAGES) {
    if (!words.some((word) => lower.includes(word)) || !isIn.every((pattern) => pattern.test(content)))
      continue;
    kind ??= isProgram ? 'program' : 'page';
    const code = content.replace(comment, '');
    for (const [signal, ...patterns] of rules) {
      if (patterns.every((pattern) => pattern.test(code))) findings.add(signal, where(WHOLE));
    }
  }
  if (kind === 'page' && CAN_HARM.test(content) && namesBrand(lower))
    findings.add(SCRIPT.brand, where(WHOLE));
  return kind;
}
