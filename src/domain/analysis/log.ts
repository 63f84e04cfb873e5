import { analyzeRequest, newReading, type Reading } from './request.ts';
import { type Category, Findings, type Signal } from './signal.ts';

const signal = (category: Category, weight: number, what: string): Signal => ({ category, weight, what });

/** What only many lines together show. Weights as in php/signals.ts. */
const LOG = {
  probing: signal('probing', 5, 'one sender asks for many things that are not there'),
  bruteForce: signal('brute_force', 6.5, 'one sender tries many logins'),
  rootLogin: signal('brute_force', 2, 'failed logins'),
  invalidUsers: signal('brute_force', 5.5, 'logins of many users that do not exist'),
  suspiciousUploadRun: signal('web_shell', 5.5, 'a script in a folder of uploads answers'),
} as const;

const SENDERS_MAX = 5_000;
/** Combined and common log format, also with a host in front; quotes in the request are escaped or not. */
const ACCESS =
  /^(?:[\w.:-]+ )?([0-9a-f.:]{3,45}|[\w.-]{3,120}) \S{1,60} (?:\S{1,60} )?\[[^\]]{5,60}\] "(.*?)" (\d{3}) (?:\d+|-)(?: "(.*?)" "(.*)")?/i;
const FAILED =
  /failed password for (invalid user )?|authentication failure|invalid user \S|login attempt failed|failed login|connection closed by (?:invalid|authenticating) user|bad password attempt|login failed|wrong password/i;
const SENDER = /(?:from|rhost=|client|ip[=: ]|addr[=: ])\s{0,3}"?([0-9a-f]{1,4}(?:[.:][0-9a-f]{0,4}){3,7})/i;
const LOGIN_PATH =
  /\/(?:wp-login\.php|xmlrpc\.php|login|signin|administrator|user\/login|admin\/login|j_security_check|phpmyadmin)/i;
const UPLOADED_SCRIPT =
  /\/(?:uploads?|files|images?|cache|tmp)\/[^?\s]{0,300}\.(?:php\d?|phtml|phar)(?:[?\s]|$)/i;
const ENTRY_CHARS_MIN = 40;
const SHORT_LINES_CHARS = 512;
const MISSES_MIN = 15;
const LOGINS_MIN = 10;

interface Sender {
  misses: number;
  logins: number;
  failures: number;
  invalidUsers: number;
}

/** Finds attacks in log lines: in what was asked for, and in what one sender does over many lines. */
export function analyzeLog(content: string, findings: Findings): void {
  const senders = new Map<string, Sender>();
  const reading = newReading();
  for (const { text, where } of entriesOf(content, reading)) {
    const find: Find = (request) => findRequest(request, where, findings, reading);
    if (reading.readings > 0) readLine(text, where, findings, senders, find);
    else find(text);
  }
  for (const sender of senders.values()) judgeSender(sender, findings);
}

/** Finds attacks in a request of the entry that is being read. */
type Find = (request: string) => void;

interface Entry {
  readonly text: string;
  readonly where: string;
}

/**
 * The lines, but those that are too short for an entry, or behind all that is read apart, together with their neighbours:
 * reading each of ten thousand by itself would take longer than reading the same text at once.
 */
function* entriesOf(content: string, reading: Reading): Generator<Entry> {
  let short = '';
  let shortFrom = 0;
  let index = -1;
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
  first === last ? `line ${first + 1}` : `from line ${first + 1} on`;

function readLine(
  line: string,
  where: string,
  findings: Findings,
  senders: Map<string, Sender>,
  find: Find,
): void {
  const access = ACCESS.exec(line);
  if (access) {
    const [, from = '', request = '', status = '', referer = '', agent = ''] = access;
    const sender = senderOf(senders, from);
    if (readAccess({ request, status, referer, agent }, sender, find))
      findings.add(LOG.suspiciousUploadRun, where);
    return;
  }
  if (FAILED.test(line)) {
    const sender = senderOf(senders, SENDER.exec(line)?.[1] ?? '');
    sender.failures++;
    if (/invalid user/i.test(line)) sender.invalidUsers++;
    findings.add(LOG.rootLogin, where);
  } else find(line);
}

interface Access {
  readonly request: string;
  readonly status: string;
  readonly referer: string;
  readonly agent: string;
}

/** Reads an entry of an access log; true when a script answered that somebody uploaded. */
function readAccess({ request, status, referer, agent }: Access, sender: Sender, find: Find): boolean {
  const target = request.replace(/^[A-Z]{3,10} /, '').replace(/ HTTP\/[\d.]+$/, '');
  const message = `GET ${target.replaceAll(' ', '%20')} HTTP/1.1\nReferer: ${referer}\nUser-Agent: ${agent}\n\n`;
  find(message.replaceAll('\\x', '%'));
  if (/^4(?:03|04)$/.test(status)) sender.misses++;
  if (LOGIN_PATH.test(target) && /^POST /.test(request)) sender.logins++;
  return status === '200' && UPLOADED_SCRIPT.test(target);
}

function findRequest(text: string, where: string, findings: Findings, reading: Reading): void {
  const inner = new Findings();
  analyzeRequest(text, inner, reading);
  for (const found of inner.all) findings.add(found.signal, `${where}, ${found.where}`);
}

function senderOf(senders: Map<string, Sender>, name: string): Sender {
  const known = senders.get(name);
  if (known) return known;
  const fresh = { misses: 0, logins: 0, failures: 0, invalidUsers: 0 };
  if (senders.size < SENDERS_MAX) senders.set(name, fresh);
  return fresh;
}

function judgeSender({ misses, logins, failures, invalidUsers }: Sender, findings: Findings): void {
  if (misses >= MISSES_MIN) findings.add(LOG.probing, `${misses} times`);
  if (logins >= LOGINS_MIN || failures >= LOGINS_MIN)
    findings.add(LOG.bruteForce, `${Math.max(logins, failures)} times`);
  if (invalidUsers >= 3) findings.add(LOG.invalidUsers, `${invalidUsers} times`);
}
