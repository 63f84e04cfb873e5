import { createHash } from 'node:crypto';
import type { AnalysisRequest, InputType } from '../../src/analysis/analysis.ts';
import type { Label, Side } from './corpus.ts';
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
} from './recordings.ts';

/** A source that came in on 30 November 2026 (SOURCES.md), all of them on the evaluation side. */
export interface LaterSource {
  readonly category: string;
  readonly side: Side;
  readonly label: Label;
  readonly repository: string;
  readonly commit: string;
  readonly isWanted: (path: string) => boolean;
  readonly read: (content: string) => readonly string[];
  readonly inputType: InputType;
  /** One content in so many is taken. */
  readonly every: number;
}

/** Whether a content is among those of which one in so many is taken. */
export const isTaken = ({ content }: AnalysisRequest, every: number): boolean =>
  every === 1 || createHash('sha1').update(content).digest().readUInt32LE(0) % every === 0;

const source = (
  category: string,
  inputType: InputType,
  label: Label,
  [repository, commit]: readonly [string, string],
  isWanted: (path: string) => boolean,
  read: LaterSource['read'],
  every = 1,
): LaterSource => ({
  category,
  side: 'evaluation',
  label,
  repository,
  commit,
  isWanted,
  read,
  inputType,
  every,
});

const whole = (content: string): readonly string[] => [content];
const linesOf = (content: string): readonly string[] =>
  content.split(/\r?\n/).filter((line) => line.trim().length > 2 && !line.startsWith('#'));
/** A payload as it would be in an access log. */
export const logLine = (payload: string): string =>
  `198.51.100.7 - - [21/Nov/2026:07:00:00 +0000] "GET /?q=${encodeURIComponent(payload.toWellFormed())} HTTP/1.1" 200 512 "-" "Mozilla/5.0"`;
/** The comments of TubeSpam of one class, the last of six columns. */
const commentsOf =
  (wanted: '0' | '1') =>
  (content: string): readonly string[] =>
    [
      ...content.matchAll(/^[^,\n]+,[^\n]*?,\d{4}-[^,]*,("(?:[^"]|"")*"|[^,"\n]*),[^\n]*,([01])\r?$/gm),
    ].flatMap(([, comment = '', label]) =>
      label === wanted ? [comment.replace(/^"|"$/g, '').replaceAll('""', '"')] : [],
    );

const isJs = (path: string) => /\.js$/.test(path);
const isPhp = (path: string) => /\.php$/.test(path);
const isStealer = (path: string) => /\.js$/.test(path) && !/build\.js$/.test(path);
const SKIMMERS = ['MBThreatIntel/skimmers', '18a22e021481'] as const;
const ZZN = ['ZZN0508/JavaScript_Datasets', '4648e87b3d95'] as const;
const BLOCKER = ['brave/adblock-rust', '886d45dcf528'] as const;

/** Programs for Node.js and Electron that take stored tokens and passwords. */
const STEALERS = [
  ['hackirby/discord-injection', '7530c8dc1583'],
  ['OriganOH/NoID-Discord-Injection', '826826b9a1e3'],
  ['smokngrabba/Ignium-Discord-Injection', '04042433df3c'],
  ['k4itrun/discord-injection', '43136891704d'],
  ['spinfal/electron-token-grabber', 'd172dc5446a8'],
  ['NotPunchnox/discord-token-grabber', 'a135a4991a0d'],
  ['vostok115/Discord-Injection', '37da5312a317'],
  ['xnayx/discord-injection', '1331d4204bd4'],
  ['dylandev-to/node-discord-token-grabber', '6ba2a8be1182'],
] as const;

const CODE: readonly LaterSource[] = [
  source('code: JavaScript', 'code', 'malicious', ZZN, (path) => path.startsWith('badjs/'), whole, 12),
  source('code: JavaScript', 'code', 'clean', ZZN, (path) => path.startsWith('goodjs/'), whole, 4),
  source('code: JavaScript', 'code', 'malicious', SKIMMERS, (path) => /\.(?:js|txt)$/.test(path), whole),
  ...STEALERS.map((each) => source('code: JavaScript', 'code', 'malicious', each, isStealer, whole)),
  source(
    'code: JavaScript',
    'code',
    'malicious',
    ['zerosum0x0/koadic', '20b977f8ea19'],
    (path) => /^data\/(?:implant|stager)\/.*\.js$/.test(path),
    whole,
  ),
  source('code: JavaScript', 'code', 'clean', ['npm/cli', '780afc50e3a3'], isJs, whole),
  source('code: JavaScript', 'code', 'clean', ['Unitech/pm2', '31adee8048db'], isJs, whole),
  source('code: JavaScript', 'code', 'clean', ['ajaxorg/ace-builds', 'ed87eff07253'], isJs, whole, 4),
  source('code: JavaScript', 'code', 'clean', ['mathjax/MathJax', '0309de694c91'], isJs, whole),
  source('code: JavaScript', 'code', 'clean', ['gorhill/uBlock', 'fe277a4ea6d1'], isJs, whole),
  source('code: PHP', 'code', 'clean', ['symfony/symfony', '5feb7493c372'], isPhp, whole, 2),
  source('code: PHP', 'code', 'clean', ['composer/composer', 'eba7baa59eb1'], isPhp, whole),
];

const RECORDED: readonly (readonly [
  readonly [string, string],
  LaterSource['isWanted'],
  (content: string) => readonly Recorded[],
  number,
])[] = [
  [['http2/http_samples', '073b1c70852e'], (path) => path.endsWith('.har'), requestsOfHar, 3],
  [['micmro/PerfCascade', '141951297cfd'], (path) => path.endsWith('.har'), requestsOfHar, 1],
  [['http2jp/hpack-test-case', '8a1406e7d14b'], (path) => path.startsWith('raw-data/'), requestsOfStory, 1],
  [
    ['sitespeedio/chrome-har', 'bb599c6d7871'],
    (path) => /^test\/perflogs\/.*\.json$/.test(path),
    requestsOfDevTools,
    1,
  ],
  [
    ['GoogleChrome/lighthouse', 'f8eac394a68b'],
    (path) => /devtools\.?log\.json$/.test(path),
    requestsOfDevTools,
    1,
  ],
  [BLOCKER, (path) => path === 'data/matching-test-requests.json', requestsOfBlocker, 2],
  [['praw-dev/praw', '7b69758126d5'], (path) => /cassettes\/.*\.json$/.test(path), requestsOfCassette, 4],
  [
    ['sigmavirus24/github3.py', '9eeac0ddb241'],
    (path) => /cassettes\/.*\.json$/.test(path),
    requestsOfCassette,
    1,
  ],
  [['tweepy/tweepy', 'c05ba9881772'], (path) => /^cassettes\/.*\.yaml$/.test(path), requestsOfCassette, 1],
  [
    ['DataDog/datadog-api-client-python', '6d8f356e4a3f'],
    (path) => /cassettes\/.*\.yaml$/.test(path),
    requestsOfCassette,
    4,
  ],
  [['PyGithub/PyGithub', '5cdf6ab395c5'], (path) => /ReplayData\/.*\.txt$/.test(path), requestsOfReplay, 2],
];
const RECORDINGS: readonly LaterSource[] = RECORDED.flatMap(([repository, isWanted, read, every]) => [
  source(
    'request: recorded',
    'request',
    'clean',
    repository,
    isWanted,
    (content) => read(content).flatMap((each) => asMessage(each) ?? []),
    every,
  ),
  source(
    'log',
    'log',
    'clean',
    repository,
    isWanted,
    (content) => read(content).flatMap((each) => asLogLine(each) ?? []),
    every,
  ),
]);

const PAYLOADS: readonly LaterSource[] = (
  [
    [
      ['1N3/IntruderPayloads', '9b84328441e0'],
      /^FuzzLists\/(?:command_exec|lfi|sqli-(?:error|time|union)|ssi_quick|traversal|xml-attacks|xss_payloads_quick|xss_remote)[^/]*\.txt$/,
      4,
    ],
    [['payloadbox/sql-injection-payload-list', '6e55457963a0'], /^Intruder\/.*\.txt$/, 1],
    [['payloadbox/xss-payload-list', 'd473925ebc9a'], /^Intruder\/.*\.txt$/, 4],
  ] as const
).flatMap(([repository, files, every]) => {
  const isWanted = (path: string) => files.test(path);
  return [
    source('request', 'request', 'malicious', repository, isWanted, linesOf, every),
    source('log', 'log', 'malicious', repository, isWanted, (text) => linesOf(text).map(logLine), every),
  ];
});

const LOGS: readonly LaterSource[] = [
  source(
    'log',
    'log',
    'clean',
    ['logpai/loghub', 'dd61d0952749'],
    (path) => /\/(?!Apache|Linux|OpenSSH)\w+_2k\.log$/.test(path),
    linesOf,
    6,
  ),
];

const ADDRESSES: readonly LaterSource[] = [
  source('url', 'url', 'clean', BLOCKER, (path) => path === 'data/test/top500-sitelist.txt', linesOf, 10),
];

const COMMENTS = ['Saravanan-20G/Youtube-Comments-Spam-Dataset', '77fe56757735'] as const;
const isTable = (path: string) => path.endsWith('.csv');
const TEXTS: readonly LaterSource[] = [
  source('text', 'text', 'malicious', COMMENTS, isTable, commentsOf('1')),
  source('text', 'text', 'clean', COMMENTS, isTable, commentsOf('0')),
];

export const LATER_SOURCES: readonly LaterSource[] = [
  ...CODE,
  ...RECORDINGS,
  ...PAYLOADS,
  ...LOGS,
  ...ADDRESSES,
  ...TEXTS,
];
