import { ORIGIN } from '../origin.ts';
import { endsAsPhp, PHP_NAME } from './kept.ts';
import { PHP } from './signals.ts';
import { writeFile } from './sinks.ts';
import { touchFile } from './touches.ts';
import { from, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** The kind of log that is a file of its own. */
const TO_FILE = '3';

/** A message is written to a log, which may be any file. */
export function judgeErrorLog(walk: Walk, [message, kind, path]: readonly Value[], at: number): void {
  if (kind?.text === TO_FILE) writeFile(walk, path, message, at);
}

/** A file is fetched by FTP: says so when it becomes PHP here that was none there. */
export function judgeFtp(walk: Walk, [, local, remote]: readonly Value[], at: number): void {
  const { text } = remote ?? UNKNOWN;
  if (PHP_NAME.test(local?.text ?? '') && text !== undefined && !PHP_NAME.test(text))
    walk.report(PHP.writeDecodedPhp, at);
}

/** Whether what another host sends goes straight into a PHP file. */
export const writesAnswer = (walk: Walk, file: Value | undefined): boolean =>
  PHP_NAME.test(file?.text ?? '') || endsAsPhp(walk, 2);

/** A document is read from a text. */
export function noteDocument({ noted }: Walk, [text]: readonly Value[]): void {
  noted.documents |= text?.origins ?? ORIGIN.none;
}

const READS = new Set(['loadhtml', 'loadxml']);
const SAVES = new Set(['savehtmlfile', 'asxml', 'save', 'savexml']);
const OPENS_FILE = new Set(['splfileobject', 'sqlite3', 'phardata']);

/** An object is made that stands for a file, an archive or a document. */
export function judgeMade(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const [first = UNKNOWN] = args;
  const { noted } = walk;
  if (name === 'simplexmlelement') noteDocument(walk, args);
  else if (name === 'phardata' && first.origins & ORIGIN.upload) noted.archiveAt ??= at;
  else if (name === 'mysqli' || name === 'pdo') {
    const isNamed = (first.origins & (ORIGIN.request | ORIGIN.partial)) === ORIGIN.request;
    // `$name = new PDO(`
    const target = walk.tokens[walk.argumentsAt - 4];
    if (target?.kind === 'variable') noted.databases.set(walk.placeKey(target.text), isNamed);
  }
  if (!OPENS_FILE.has(name) || first.origins & ORIGIN.upload) return;
  noted.objectFile = first;
  if (first.origins & ORIGIN.request) touchFile(walk, 'fopen', at, first.origins);
}

/** Methods that send a statement to a database as it is. */
const QUERIES = new Set(['query', 'multi_query', 'real_query']);

/** A method of a document, a file, an archive or a database is called. */
export function judgeMember(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const [first = UNKNOWN] = args;
  const { noted } = walk;
  const isAsked = (first.origins & (ORIGIN.request | ORIGIN.partial)) === ORIGIN.request;
  if (READS.has(name)) noteDocument(walk, args);
  else if (SAVES.has(name) && noted.documents & ORIGIN.request) {
    if (PHP_NAME.test(first.text ?? '') || first.origins & ORIGIN.request)
      writeFile(walk, first, from(ORIGIN.request), at);
  } else if (name === 'fwrite' && noted.objectFile) writeFile(walk, noted.objectFile, first, at);
  else if (name === 'open' && first.origins & ORIGIN.upload) noted.archiveAt ??= at;
  else if (name === 'extractto' && noted.archiveAt !== undefined) {
    if (walk.scope === '' && walk.guards.size === 0) walk.report(PHP.uploadHere, noted.archiveAt);
  } else if (QUERIES.has(name) && isAsked && first.text === undefined) {
    const isNamed = noted.databases.get(walk.placeKey(walk.tokens[walk.argumentsAt - 3]?.text ?? ''));
    if (isNamed !== undefined) walk.report(PHP.queryRequest, at);
    if (isNamed) walk.report(PHP.connectRequest, at);
  }
}
