import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { runCommand, writeFile } from './sinks.ts';
import { touchFile } from './touches.ts';
import { asOne, originsOfAll, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** What an object of Windows (COM) is for. */
export type ObjectKind = 'commands' | 'processes' | 'accounts' | 'server' | 'databases' | 'files';

/** Names of classes; some have a number by which nobody knows them. */
const KINDS: readonly (readonly [ObjectKind, RegExp])[] = [
  ['commands', /^(?:wscript\.shell|shell\.application|new:\{?(?:72c24dd5|f935dc22|f935dc26|13709620))/],
  ['processes', /^winmgmts:/],
  ['accounts', /^shell\.users/],
  ['server', /^iis:/],
  ['databases', /^adodb\.(?:connection|command)/],
  ['files', /^(?:scripting\.filesystemobject|adodb\.stream)/],
];
const NAME_CHARS_MAX = 60;

/** An object of Windows is made. */
export function noteObject({ calls, noted }: Walk, [name]: readonly Value[]): void {
  // Whoever can make one can run commands.
  for (const ability of ['com', 'system']) calls.set(ability, 1);
  const text = name?.text?.slice(0, NAME_CHARS_MAX).toLowerCase() ?? '';
  const kind = KINDS.find(([, pattern]) => pattern.test(text))?.[0];
  if (kind) noted.objects.add(kind);
}

/** Methods of objects that run a command; elsewhere such names mean anything. */
const RUNS = new Set(['exec', 'run', 'shellexecute']);
const OPENS_FILE = new Set(['createtextfile', 'opentextfile']);
const WRITES_TEXT = new Set(['write', 'writeline', 'writetext']);
/** Keys of the registry whose programs are started with the system or the next login. */
const STARTS = /\\(?:run|runonce|winlogon|image file execution options|userinit)\\/i;

/** A method is called while the file has objects of Windows. */
export function judgeObject(walk: Walk, name: string, args: readonly Value[], at: number): void {
  if (!walk.calls.has('com')) return;
  const { objects } = walk.noted;
  const [first = UNKNOWN] = args;
  const isFromRequest = (originsOfAll(args) & ORIGIN.request) !== 0;
  const isFixed = first.text !== undefined && objects.has('commands');
  if (RUNS.has(name) && (isFromRequest || isFixed)) runCommand(walk, asOne(args), at);
  if (name === 'create' && objects.has('processes') && isFromRequest) runCommand(walk, asOne(args), at);
  if (name === 'create' && objects.has('accounts')) walk.report(PHP.systemAccount, at);
  if (name === 'regwrite' && STARTS.test(first.text ?? '')) walk.report(PHP.persistence, at);
  if (objects.has('databases') && isFromRequest) {
    if (name === 'open') walk.report(PHP.connectRequest, at);
    else if (name === 'execute') walk.report(PHP.queryRequest, at);
  }
  if (objects.has('files')) judgeText(walk, name, first, at);
}

function judgeText(walk: Walk, name: string, first: Value, at: number): void {
  const isNamed = (first.origins & ORIGIN.request) !== 0;
  if (OPENS_FILE.has(name)) walk.noted.objectFile = first;
  else if (WRITES_TEXT.has(name)) writeFile(walk, walk.noted.objectFile, first, at);
  else if (name === 'savetofile' && isNamed) touchFile(walk, 'fopen', at, first.origins);
}
