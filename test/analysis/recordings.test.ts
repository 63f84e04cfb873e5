import { expect, test } from 'bun:test';
import { PHP } from '../../src/analysis/php/signals.ts';
import { SCRIPT } from '../../src/analysis/script/signals.ts';
import { SOURCES } from '../evaluation/corpus.ts';
import { FOLDS, foldOf } from '../evaluation/folds.ts';
import {
  asLogLine,
  asMessage,
  type Recorded,
  requestsOfBlocker,
  requestsOfCassette,
  requestsOfDevTools,
  requestsOfHar,
  requestsOfReplay,
  requestsOfStory,
} from '../evaluation/recordings.ts';
import { isWrittenFrom, TUNED_BY } from '../evaluation/written-from.ts';

const URL = 'https://a.example/b?c=d';
const MESSAGE = 'POST /b?c=d HTTP/1.1\nHost: a.example\nX-Id: 1\n\ne=f';
const headers = { 'X-Id': '1' };
const EXCHANGE = { method: 'POST', uri: URL, headers, body: { string: 'e=f' } };
const BINARY = Buffer.from(`e=${'\0ÿ'.repeat(80)}`).toString('base64');

/** The same request in each form. */
const FORMS: readonly (readonly [string, (content: string) => readonly Recorded[], string])[] = [
  [
    'HAR',
    requestsOfHar,
    JSON.stringify({
      log: {
        entries: [
          {
            request: {
              method: 'POST',
              url: URL,
              headers: [{ name: 'X-Id', value: '1' }],
              postData: { text: 'e=f' },
            },
          },
        ],
      },
    }),
  ],
  [
    'a cassette in JSON',
    requestsOfCassette,
    JSON.stringify({ http_interactions: [{ request: { ...EXCHANGE, headers: { 'X-Id': ['1'] } } }] }),
  ],
  [
    'a cassette in YAML',
    requestsOfCassette,
    `interactions:\n- request:\n    body: e=f\n    headers:\n      X-Id:\n      - '1'\n    method: POST\n    uri: ${URL}\n`,
  ],
  ['a replay', requestsOfReplay, "https\nPOST\na.example\nNone\n/b?c=d\n{'X-Id': '1'}\ne=f\n200\n[]\n{}\n\n"],
  [
    'events of DevTools',
    requestsOfDevTools,
    JSON.stringify([
      { method: 'Page.loadEventFired' },
      {
        method: 'Network.requestWillBeSent',
        params: { request: { method: 'POST', url: URL, headers, postData: 'e=f' } },
      },
    ]),
  ],
];

test.each(FORMS)('%s is read as the message that was sent', (_, read, content) => {
  expect(read(content).map(asMessage)).toEqual([MESSAGE]);
});

test('forms without a body contain the target and the headers', () => {
  const story = JSON.stringify({
    cases: [
      {
        headers: [
          { ':method': 'GET' },
          { ':scheme': 'https' },
          { ':authority': 'a.example' },
          { ':path': '/b' },
          { accept: '*/*' },
        ],
      },
    ],
  });
  expect(requestsOfStory(story).map(asMessage)).toEqual([
    'GET /b HTTP/1.1\nHost: a.example\naccept: */*\n\n',
  ]);
  const asked = JSON.stringify([{ url: URL, sourceUrl: 'https://page.example/' }]);
  expect(requestsOfBlocker(asked).map(asLogLine)).toEqual([
    '198.51.100.7 - - [30/Nov/2026:07:00:00 +0000] "GET /b?c=d HTTP/1.1" 200 512 "https://page.example/" "-"',
  ]);
});

test('a binary body of a cassette is decoded; placeholders and addresses without a host are omitted', () => {
  const lines = BINARY.replace(/.{70}/g, '$&\n      ');
  const yaml = `interactions:\n- request:\n    body: !!binary |\n      ${lines}\n    headers: {}\n    method: PUT\n    uri: ${URL}\n`;
  const packed = JSON.stringify({
    http_interactions: [
      { request: { ...EXCHANGE, method: 'PUT', headers: {}, body: { base64_string: BINARY } } },
    ],
  });
  const body = Buffer.from(BINARY, 'base64').toString('utf8');
  for (const cassette of [yaml, packed])
    expect(requestsOfCassette(cassette).map(asMessage)).toEqual([
      `PUT /b?c=d HTTP/1.1\nHost: a.example\n\n${body}`,
    ]);
  const recorded = { method: 'GET', headers: [['Authorization', 'Basic <BASIC_AUTH>']], body: '' } as const;
  expect(asMessage({ ...recorded, url: URL })).toBe('GET /b?c=d HTTP/1.1\nHost: a.example\n\n');
  for (const url of ['', 'data:,a', 'a.example'])
    expect([asMessage({ ...recorded, url }), asLogLine({ ...recorded, url })]).toEqual([
      undefined,
      undefined,
    ]);
});

test('versions and copies are left out in the same round, and every round leaves something out', () => {
  expect(foldOf('wp-plugins/wordfence')).toBe(foldOf('WordPressBugBounty/plugins-wordfence'));
  expect(foldOf('payloadbox/xss-payload-list')).toBe(foldOf('payloadbox/sql-injection-payload-list'));
  expect(foldOf('a/discord-injection')).toBe(foldOf('b/electron-token-grabber'));
  for (const label of ['malicious', 'clean'] as const) {
    const code = SOURCES.filter((source) => source.label === label && source.category === 'code: PHP');
    expect(new Set(code.map(({ repository }) => foldOf(repository))).size).toBe(FOLDS);
  }
});

test('a rule does not count in a source that it was written from', () => {
  const later = SOURCES.filter(({ repository }) => !TUNED_BY.has(repository)).map(
    ({ repository }) => repository,
  );
  expect(later).toContain('tennc/webshell');
  for (const repository of later) expect(isWrittenFrom(PHP.evalRequest, repository)).toBe(false);
  expect(isWrittenFrom(PHP.evalRequest, 'ysrc/webshell-sample')).toBe(true);
  expect(isWrittenFrom(PHP.accountHidden, 'ysrc/webshell-sample')).toBe(false);
  expect(isWrittenFrom(SCRIPT.reverseShell, 'xl7dev/WebShell')).toBe(true);
  expect(isWrittenFrom(SCRIPT.reverseShell, 'JohnTroony/php-webshells')).toBe(false);
});
