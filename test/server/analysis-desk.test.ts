import { beforeEach, expect, test } from 'bun:test';
import type { Analysis, AnalysisRequest } from '../../src/analysis/analysis.ts';
import { WINDOW_CHARS } from '../../src/analysis/contents.ts';
import { type AnalysisDesk, createAnalysisDesk } from '../../src/server/analysis-desk.ts';
import type { AnalystAnswer, AnalystEvents } from '../../src/server/analyst.ts';

const MINUTE_MS = 60_000;

interface FakeProcess {
  readonly asked: string[];
  readonly events: AnalystEvents;
  ended: boolean;
}

let processes: FakeProcess[];
let timers: { readonly dueAt: number; readonly task: () => void }[];
let now: number;
let faults: string[];
let desk: AnalysisDesk;

beforeEach(() => {
  processes = [];
  timers = [];
  now = 0;
  faults = [];
  desk = createAnalysisDesk({
    openAnalyst(events) {
      const process: FakeProcess = { asked: [], events, ended: false };
      processes.push(process);
      return {
        ask: ({ content }: AnalysisRequest) => process.asked.push(content),
        kill: () => {
          process.ended = true;
        },
      };
    },
    after(delayMs, task) {
      const timer = { dueAt: now + delayMs, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    onFault: (fault) => faults.push(fault),
  });
});

const newest = () => processes.at(-1) as FakeProcess;
const answer = (said: AnalystAnswer, process = newest()) => process.events.answered(said);
const analysed = (reason = '') => answer({ analysis: analysisOf(reason) });
const analysisOf = (reason: string): Analysis => ({
  verdict: 'clean',
  confidence: 1,
  score: 0,
  categories: [],
  reasons: [reason],
  recommendations: [],
});

/** A first content starts the process. */
function getReady(): void {
  void send('first');
  answer('ready');
  analysed();
  newest().asked.length = 0;
}

function elapse(ms: number): void {
  const until = now + ms;
  while (true) {
    const [due] = timers.toSorted((a, b) => a.dueAt - b.dueAt);
    if (due === undefined || due.dueAt > until) break;
    now = due.dueAt;
    timers = timers.filter((each) => each !== due);
    due.task();
  }
  now = until;
}

/** The result of a content: its reason, its refusal code, or its log entry. */
const send = (
  content: string,
  licenseId = 1,
  gone = new AbortController().signal,
): Promise<string | undefined> =>
  desk.analyze({ inputType: 'text', content }, { licenseId, gone }).then(
    (outcome) => ('refused' in outcome ? outcome.refused : outcome.reasons[0]),
    ({ message }: Error) => message,
  );
const sendMany = (count: number, licenseId: number) =>
  Array.from({ length: count }, (_, index) => send(`${licenseId}-${index}`, licenseId));

test('no process is started before there is a content for it', () => {
  elapse(MINUTE_MS);
  expect([processes.length, desk.isAvailable()]).toEqual([0, true]);
  void send('a');
  void send('b');
  expect(processes.length).toBe(1);
});

test('contents that arrive before the process is ready wait, and are sent one by one', async () => {
  const [first, second] = [send('a'), send('b')];
  expect(newest().asked).toEqual([]);
  answer('ready');
  expect(newest().asked).toEqual(['a']);
  analysed('of a');
  expect(newest().asked).toEqual(['a', 'b']);
  analysed('of b');
  expect(await Promise.all([first, second])).toEqual(['of a', 'of b']);
  const third = send('c');
  analysed('of c');
  expect(await third).toBe('of c');
});

test('licenses take turns', () => {
  sendMany(3, 1);
  sendMany(2, 2);
  answer('ready');
  for (let given = 0; given < 4; given++) analysed();
  expect(newest().asked).toEqual(['1-0', '2-0', '1-1', '2-1', '1-2']);
});

test('32 of one license wait, and 256 of all licenses; more are refused immediately', async () => {
  getReady();
  send('under way', 99);
  sendMany(32, 1);
  expect(await send('33rd', 1)).toBe('ANALYSIS_BUSY');
  for (let license = 2; license <= 8; license++) sendMany(32, license);
  for (let license = 1; license <= 8; license++) expect(await send('257th', license)).toBe('ANALYSIS_BUSY');
});

test('nine licenses in all places block no other: those with most give way to a new one', async () => {
  getReady();
  send('under way', 99);
  const crowd = Array.from({ length: 9 }, (_, license) => sendMany(32, license + 1));
  const newcomers = [10, 11, 12].map((license) => send('newcomer', license));
  // The running content, and one of each license.
  for (let given = 0; given < 13; given++) analysed('served');
  expect(await Promise.all(newcomers)).toEqual(Array(3).fill('served'));

  for (let given = 0; given < 256; given++) analysed('served');
  for (const own of await Promise.all(crowd.map((contents) => Promise.all(contents)))) {
    const served = own.filter((outcome) => outcome === 'served').length;
    expect(served).toBeWithin(28, 30);
    expect(own).toEqual([...Array(served).fill('served'), ...Array(32 - served).fill('ANALYSIS_BUSY')]);
  }
});

test('a disconnect frees the place', async () => {
  const hangUp = new AbortController();
  const given = send('gone', 1, hangUp.signal);
  const next = send('next');
  hangUp.abort();
  await given;
  await send('gone before it came', 1, hangUp.signal);
  answer('ready');
  expect(newest().asked).toEqual(['next']);
  analysed('of next');
  expect(await next).toBe('of next');
});

test.each([
  ['dies', () => newest().events.died(), 'the analysis process died'],
  ['hangs', () => elapse(5_000), 'the analysis timed out'],
])(
  'when the process %s, its content fails without a retry; a new process serves the others',
  async (_, lose, logged) => {
    getReady();
    const [poison, other] = [send('poison'), send('other')];
    const lost = newest();
    lose();
    expect([await poison, lost.ended, desk.isAvailable()]).toEqual([logged, true, true]);
    elapse(1_000);
    answer('ready');
    expect([newest() === lost, newest().asked]).toEqual([false, ['other']]);
    answer({ analysis: analysisOf('of poison') }, lost);
    analysed('of other');
    expect(await other).toBe('of other');
    expect(faults).toEqual([]);
  },
);

test('a fault inside the process fails its content only', async () => {
  getReady();
  const [poison, other] = [send('poison'), send('other')];
  answer({ fault: 'RangeError | at somewhere' });
  analysed('of other');
  expect(await Promise.all([poison, other])).toEqual(['RangeError | at somewhere', 'of other']);
  expect([processes.length, faults]).toEqual([1, []]);
});

test('a process that never becomes ready is retried once a second, and waiting requests are refused', async () => {
  const outcomes = sendMany(3, 1);
  newest().events.died();
  expect(await Promise.all(outcomes)).toEqual(Array(3).fill('ANALYSIS_BUSY'));
  expect(desk.isAvailable()).toBe(false);
  for (let second = 0; second < 60; second++) {
    elapse(1_000);
    newest().events.died();
  }
  expect([processes.length, faults.length]).toEqual([61, 61]);
  elapse(1_000);
  const waiting = send('a');
  answer('ready');
  analysed('of a');
  expect([await waiting, desk.isAvailable()]).toEqual(['of a', true]);
});

test('a resting process is not restarted', () => {
  getReady();
  void send('a');
  analysed();
  elapse(MINUTE_MS);
  expect([processes.length, newest().ended, faults]).toEqual([1, false, []]);
});

test('a stop lets the process finish its content, refuses the rest, and ends it permanently', async () => {
  getReady();
  const [underWay, waiting] = [send('a'), send('b')];
  const closed = desk.close();
  expect([await waiting, await send('c'), newest().ended]).toEqual(['ANALYSIS_BUSY', 'ANALYSIS_BUSY', false]);
  analysed('of a');
  await closed;
  expect([await underWay, newest().ended]).toEqual(['of a', true]);
  elapse(MINUTE_MS);
  expect([processes.length, timers]).toEqual([1, []]);
});

test('a stop neither waits for a hanging process nor replaces it', async () => {
  getReady();
  const underWay = send('a');
  const closed = desk.close();
  elapse(MINUTE_MS);
  await closed;
  expect([await underWay, processes.length, newest().ended]).toEqual(['the analysis timed out', 1, true]);
});

/** The result of a batch: the reasons of its contents, or its refusal code. */
const sendBatch = (contents: readonly string[], licenseId = 1, gone = new AbortController().signal) =>
  desk
    .analyzeAll(
      contents.map((content) => ({ inputType: 'text' as const, content })),
      { licenseId, gone },
    )
    .then(
      (outcome) => ('refused' in outcome ? outcome.refused : outcome.map(({ reasons }) => reasons.join())),
      ({ message }: Error) => message,
    );

test('contents of a batch are analysed one in a turn, and answered in order', async () => {
  getReady();
  const batch = sendBatch(['a', 'b', 'c']);
  for (const reason of ['of a', 'of b', 'of c']) analysed(reason);
  expect(await batch).toEqual(['of a', 'of b', 'of c']);
});

test('at most one content of a batch runs before other arrivals, of its own license or another', () => {
  getReady();
  void sendBatch(['a1', 'a2', 'a3']);
  void send('own', 1);
  void send('other', 2);
  for (let given = 0; given < 5; given++) analysed();
  expect(newest().asked).toEqual(['a1', 'a2', 'other', 'own', 'a3']);
});

test('a batch of 64 takes one of its license’s 32 places until its end', async () => {
  getReady();
  const batch = sendBatch(Array.from({ length: 64 }, (_, index) => `b${index}`));
  sendMany(31, 1);
  expect(await send('33rd', 1)).toBe('ANALYSIS_BUSY');
  for (let given = 0; given < 64 + 31; given++) analysed();
  expect(await batch).toHaveLength(64);
});

test('4 batches of one license run, and a completed one frees its place', async () => {
  getReady();
  const batches = [1, 2, 3, 4].map((name) => sendBatch([`${name}`]));
  expect(await sendBatch(['fifth'])).toBe('ANALYSIS_BUSY');
  void sendBatch(['of another'], 2);
  analysed();
  await batches[0];
  const next = sendBatch(['next']);
  for (let given = 0; given < 5; given++) analysed('done');
  expect(await next).toEqual(['done']);
});

test('the process divides a long content, and its windows get separate turns; the worst counts', async () => {
  getReady();
  const long = 'x'.repeat(WINDOW_CHARS + 1);
  const batch = sendBatch([long, 'short']);
  void send('other', 2);
  const window = (content: string): AnalysisRequest => ({ inputType: 'text', content });
  answer({ windows: [window('w1'), window('w2')] });
  analysed('seen in the first');
  analysed();
  answer({ analysis: { ...analysisOf('seen in the second'), verdict: 'malicious', score: 90 } });
  analysed('of short');
  expect(newest().asked.slice(1)).toEqual(['w1', 'other', 'w2', 'short']);
  expect(await batch).toEqual(['seen in the second,seen in the first', 'of short']);
});

test('each window may take as long as a content', async () => {
  getReady();
  const batch = sendBatch(['x'.repeat(WINDOW_CHARS + 1)]);
  answer({ windows: [1, 2, 3].map((name) => ({ inputType: 'text', content: `${name}` })) });
  for (let given = 0; given < 3; given++) {
    elapse(4_900);
    analysed('in time');
  }
  expect(await batch).toEqual(['in time']);
  expect(processes).toHaveLength(1);
});

test('a batch with a disconnected caller is not continued', async () => {
  getReady();
  const hangUp = new AbortController();
  const batch = sendBatch(['a', 'b', 'c'], 1, hangUp.signal);
  void send('other', 2);
  hangUp.abort();
  expect(await batch).toBe('ANALYSIS_BUSY');
  for (let given = 0; given < 2; given++) analysed();
  expect(newest().asked).toEqual(['a', 'other']);
});

test('a batch fails with the content that kills the process, and others are served', async () => {
  getReady();
  const batch = sendBatch(['a', 'poison', 'c']);
  const other = send('other', 2);
  analysed();
  elapse(6_000);
  answer('ready');
  analysed('of other');
  expect([await batch, await other, newest().asked]).toEqual([
    'the analysis timed out',
    'of other',
    ['other'],
  ]);
});
