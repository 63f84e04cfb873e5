import { isInternalHost } from '../address.ts';
import { analyzeRequest, newReading, type Reading } from '../request/request.ts';
import { REQUEST } from '../request/signals.ts';
import { Findings, type Signal } from '../signal.ts';
import { type Access, accessOf, addressIn } from './access.ts';
import { findEvents } from './events.ts';
import { addName, type Sender, Senders } from './senders.ts';
import { findServerErrors, refusedPathIn } from './server-errors.ts';
import { LOG } from './signals.ts';

const FAILED =
  /failed password for (?:invalid user )?|authentication (?:failure|failed)|auth failed|invalid user \S|login attempt failed|failed login|failed su\b|connection closed by (?:invalid|authenticating) user|bad password attempt|log-?in failed|wrong password|login incorrect|invalid (?:credentials|password)|account failed to log ?on|access denied for user|maximum authentication attempts|\[[\w-]{1,40}\] Found [0-9a-f]{1,4}[.:]|(?:anmeldung|login).{0,60}fehlgeschlagen|falsches (?:kennwort|passwort)|(?:mot de passe|identifiant) incorrect|contraseña incorrecta|password errata/i;
const SENDER =
  /(?:from|rhost=|client|rip=|\bip|addr|address:|unknown\[|@'|found)["']?[=: ]{0,3}["'[]?([0-9a-f]{1,4}(?:[.:][0-9a-f]{0,4}){3,7})/i;
const USER =
  /(?:for (?:invalid user )?|invalid user |\buser["']?[=: ]{1,3}["'<]?|account name:\s{0,5}|\(to root\) )([\w.@$-]{1,80})/i;
/** A line that reports several failures. */
const REPEATED = /(?:repeated|auth failed,) (\d{1,3}) (?:times|attempts)/;
const ACCEPTED = /\baccepted (?:password|keyboard-interactive)|log-?in succeeded|successfully logged on/i;
const BLOCKED_PORT = /\bSRC=([0-9a-f.:]{3,45})\b.{0,200}\bDPT=(\d{1,5})\b/;
const SOURCE_PORT = /\bSPT=(\d{1,5})\b/;
/** Lower ports belong to services. */
const SERVICE_PORTS_END = 1_024;
/** Systems choose client ports from here on. */
const ANSWER_PORTS_FROM = 32_768;
const LOGIN_PATH =
  /\/(?:wp-login\.php|login|signin|administrator|user\/login|admin\/login|j_security_check|phpmyadmin)/i;
const REMOTE_CALL = /\/xmlrpc\.php/i;
const UPLOADED_SCRIPT =
  /\/(?:uploads?|files|images?|cache|tmp)\/[^?\s]{0,300}\.(?:php\d?|phtml|phar)(?:[?\s]|$)/i;
/** Prefilter for errors about missing or forbidden files in web server logs. */
const SERVER_ERROR =
  /not found or unable|not exist|denied by server|failed \(2:|script unknown|function definition/;
/** Requests of cloud machines to their metadata service, which it logs. */
const METADATA =
  /^(?:http:\/\/169\.254\.169\.254)?\/(?:latest|openstack|computeMetadata|\d{4}-\d\d-\d\d|\d\.\d)(?:\/[\w.:-]{1,80}){0,8}\/?$/;
/** Page assets, which may be missing without any probing. */
const LOADED_BY_PAGE = /^[^?]{1,300}\.(?:jpe?g|png|gif|svg|webp|avif|ico|css|js|mjs|map|woff2?|ttf)(?:\?|$)/i;
const ENTRY_CHARS_MIN = 40;
const SHORT_LINES_CHARS = 512;
const FAILURES_BEFORE_SUCCESS_MIN = 3;

/**
 * Signals that also count outside of requests. Programs constantly log paths, statements, commands and traces, so most attacks in
 * a parameter are normal in a message.
 */
const IN_MESSAGES: ReadonlySet<Signal> = new Set([
  REQUEST.lookup,
  REQUEST.shellReverse,
  REQUEST.shellShock,
  REQUEST.xssHandler,
  REQUEST.phpCode,
  REQUEST.javaObject,
  REQUEST.sqlDelay,
  REQUEST.sqlError,
]);

/** Prefilter: each of these signals requires one of these patterns. */
const MAYBE_ATTACK =
  /\$\{|%24%7b|jndi|\/dev\/|\bsh\b|-i\b|<\?|<\s{0,5}[a-z/]|%3c|\(\)|rO0AB|aced0005|AAEAAAD|gASV|sleep|waitfor|benchmark|extractvalue|updatexml|socket|mkfifo|\bnc\b|fsockopen/i;

/** Finds attacks in log lines: in requests, in system events, and in a sender's actions across lines. */
export function analyzeLog(content: string, findings: Findings): void {
  const senders = new Senders();
  const reading = newReading();
  for (const { text, where } of entriesOf(content, reading, findings.linesBefore))
    readLine(text, where, { findings, senders, reading });
  senders.judge(findings);
}

interface Entry {
  readonly text: string;
  readonly where: string;
}

/**
 * The lines as entries. Lines that are too short, or after the budget is used up, are combined with their neighbours, because
 * reading 10,000 lines separately takes longer than reading the same text at once.
 */
function* entriesOf(content: string, reading: Reading, linesBefore: number): Generator<Entry> {
  let short = '';
  let shortFrom = 0;
  let index = linesBefore - 1;
  for (const line of content.split(/\r?\n/)) {
    index++;
    const isEntry = line.length >= ENTRY_CHARS_MIN && reading.readings > 0;
    if (isEntry || short.length >= SHORT_LINES_CHARS) {
      if (short.trim() !== '') yield { text: short, where: linesFrom(shortFrom, index - 1) };
      short = '';
    }
    if (isEntry) {
      yield { text: line, where: `line ${index + 1}` };
    } else {
      if (short === '') shortFrom = index;
      short += short === '' ? line : `\n${line}`;
    }
  }
  if (short.trim() !== '') yield { text: short, where: linesFrom(shortFrom, Number.POSITIVE_INFINITY) };
}

const linesFrom = (first: number, last: number): string =>
  first === last ? `line ${first + 1}` : `from line ${first + 1} onward`;

/** State shared by the lines of one content. */
interface Log {
  readonly findings: Findings;
  readonly senders: Senders;
  readonly reading: Reading;
}

function readLine(line: string, where: string, log: Log): void {
  const access = accessOf(line);
  if (SERVER_ERROR.test(line)) findServerErrors(line, (signal) => log.findings.add(signal, where));
  const refused = refusedPathIn(line);
  if (refused !== undefined) findRequest(`GET ${refused.replaceAll(' ', '%20')} HTTP/1.1\n\n`, where, log);
  else if (access === undefined) readMessage(line, where, log);
  // After the budget is used up, the remaining lines are one text.
  else if (log.reading.readings > 0) readAccess(access, where, log);
  else findRequest(line, where, log);
}

function readAccess(
  { sender: name, method, target, status, referer, agent }: Access,
  where: string,
  log: Log,
): void {
  const message = `GET ${target.replaceAll(' ', '%20')} HTTP/1.1\nReferer: ${referer}\nUser-Agent: ${agent}\n\n`;
  const isOwn = isInternalHost(name) && METADATA.test(target);
  findRequest(message.replaceAll('\\x', '%'), where, log, isOwn ? REQUEST.ssrfMetadata : undefined);
  const sender: Sender = log.senders.of(name);
  if (/^4(?:03|04)$/.test(status) && !(LOADED_BY_PAGE.test(target) && referer.startsWith('http')))
    sender.misses++;
  if (method === 'POST' && REMOTE_CALL.test(target)) sender.remoteCalls++;
  if (method === 'POST' && LOGIN_PATH.test(target)) {
    sender.logins++;
    // WordPress answers a failed login with the form and status 200.
    if (/^4/.test(status) || (status === '200' && target.includes('wp-login.php'))) sender.refusedLogins++;
  }
  addName(sender.authors, /[?&]author=(\d{1,6})\b/.exec(target)?.[1]);
  if (status === '200' && UPLOADED_SCRIPT.test(target)) log.findings.add(LOG.suspiciousUploadRun, where);
}

function findRequest(request: string, where: string, { findings, reading }: Log, ordinary?: Signal): void {
  for (const found of findingsOf(request, reading))
    if (found.signal !== ordinary) findings.add(found.signal, `${where}, ${found.where}`);
}

function readMessage(line: string, where: string, { findings, senders, reading }: Log): void {
  const report = (signal: Signal) => findings.add(signal, where);
  if (MAYBE_ATTACK.test(line))
    for (const { signal } of findingsOf(line, reading)) if (IN_MESSAGES.has(signal)) report(signal);
  findEvents(line, report);
  const [, blocked, port] = BLOCKED_PORT.exec(line) ?? [];
  if (blocked !== undefined && !isLateAnswer(line, Number(port))) addName(senders.of(blocked).ports, port);
  if (FAILED.test(line)) {
    const user = USER.exec(line)?.[1];
    const sender = senders.of(senderOf(line));
    sender.failures += Number(REPEATED.exec(line)?.[1] ?? 1);
    if (/invalid user/i.test(line)) sender.invalidUsers++;
    addName(sender.users, user);
    report(LOG.failedLogin);
  } else if (ACCEPTED.test(line) && senders.of(senderOf(line)).failures >= FAILURES_BEFORE_SUCCESS_MIN)
    report(LOG.loginAfterFailures);
}

/** Whether a packet is a late response of a service to a closed connection, not a new connection. */
const isLateAnswer = (line: string, port: number): boolean =>
  port >= ANSWER_PORTS_FROM &&
  Number(SOURCE_PORT.exec(line)?.[1] ?? ANSWER_PORTS_FROM) < SERVICE_PORTS_END &&
  (!/ SYN\b/.test(line) || / ACK\b/.test(line));

/** The client's address, or the user if the line has none. */
const senderOf = (line: string): string =>
  SENDER.exec(line)?.[1] ?? addressIn(line) ?? `user ${USER.exec(line)?.[1]}`;

function findingsOf(request: string, reading: Reading): Findings['all'] {
  const found = new Findings();
  analyzeRequest(request, found, reading);
  return found.all;
}
