import { createHash } from 'node:crypto';
import type { AnalysisRequest, InputType } from '../../src/analysis/analysis.ts';
import { COLLECTIONS, sideOf } from './collections.ts';
import { isTaken, LATER_SOURCES, logLine } from './later-sources.ts';
import { type MirrorFile, readMirror } from './mirror.ts';
import { FIRST_PLUGINS, PLUGINS } from './plugins.ts';

export type Side = 'tuning' | 'evaluation';
export type Label = 'malicious' | 'clean';

/** One content with what is known of it. */
export interface Case extends AnalysisRequest {
  readonly path: string;
}

/** A part of a public repository, as SOURCES.md assigns it. */
export interface Source {
  readonly category: string;
  readonly side: Side;
  readonly label: Label;
  readonly repository: string;
  readonly commit: string;
  /** @param isTaken which of its files are read, where not all are wanted */
  readonly casesOf: (mirror: string, isTaken?: (path: string) => boolean) => readonly Case[];
}

/** As much as one request can carry. */
const CONTENT_CHARS_MAX = 64_000;

type Read = (file: Omit<MirrorFile, 'bytes'>) => readonly Case[];

const bucket = (text: string): number =>
  Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16);

const source = (
  category: string,
  side: Side,
  label: Label,
  repository: string,
  commit: string,
  isWanted: (path: string) => boolean,
  read: Read,
): Source => ({
  category,
  side,
  label,
  repository,
  commit,
  casesOf: (mirror, isTaken = () => true) =>
    readMirror(mirror, repository, commit, (path) => isWanted(path) && isTaken(path)).flatMap(read),
});

const wholeFile =
  (inputType: InputType): Read =>
  ({ path, content }) => [{ inputType, path, content: content.slice(0, CONTENT_CHARS_MAX) }];
const phpFile: Read = (file) => (/<\?|<%|<script/i.test(file.content) ? wholeFile('code')(file) : []);
const lines =
  (inputType: InputType, wrap: (line: string) => string | undefined): Read =>
  ({ path, content }) =>
    content
      .split(/\r?\n/)
      .map(wrap)
      .filter((line) => line !== undefined && line.trim().length > 2)
      .map((line) => ({ inputType, path, content: line as string }));

const LOG_LINE = /^\S+ .*?"([A-Z]+ \S+ HTTP[^"]*)" \d+ \S+ "([^"]*)" "([^"]*)"/;
const requestOfLogLine = (line: string): string | undefined => {
  const [, request, referer, agent] = LOG_LINE.exec(line) ?? [];
  return request && `${request}\nReferer: ${referer}\nUser-Agent: ${agent}\n\n`;
};
/** Every second line: the others are on the other side. */
const everySecond =
  (side: Side, read: Read): Read =>
  ({ path, content }) =>
    read({
      path,
      content: content
        .split('\n')
        .filter((_, index) => (index % 2 === 0) === (side === 'tuning'))
        .join('\n'),
    });
const comment = (line: string): string => `comment=${encodeURIComponent(line)}&author=jane`;

const php = /\.(?:php\d?|phtml)$/;
const isPhp = (path: string) => php.test(path);
const isJs = (path: string) => /\.js$/.test(path);
const isReadme = (path: string) => /(?:^|\/)(?:readme|changelog|contributing)[^/]*\.(?:md|txt)$/i.test(path);

type CodeSource = readonly [Side, Label, string, string, (path: string) => boolean];
const ofPlugins = (isWanted: (path: string) => boolean): readonly CodeSource[] =>
  PLUGINS.map(([side, name, commit]) => [side, 'clean', name, commit, isWanted]);

const PHP_SOURCES: readonly CodeSource[] = [
  ['tuning', 'malicious', 'ysrc/webshell-sample', 'dbaeee16226a', isPhp],
  ['tuning', 'malicious', 'xl7dev/WebShell', 'f7cd87feb5ef', isPhp],
  ['tuning', 'malicious', 'JohnTroony/php-webshells', '226a15d0684e', isPhp],
  ['tuning', 'clean', 'johnpbloch/wordpress-core', '52ab9686bc1c', isPhp],
  ['tuning', 'clean', 'laravel/framework', 'bd71b45fbb7e', isPhp],
  ['tuning', 'clean', 'wp-cli/wp-cli', 'eb52d60cf6eb', isPhp],
  ['evaluation', 'malicious', 'bartblaze/PHP-backdoors', '8ca75ed86a55', isPhp],
  [
    'evaluation',
    'malicious',
    'mattiasgeniar/php-exploit-scripts',
    'a6ab857232e1',
    (path) => /\.php/.test(path),
  ],
  ['evaluation', 'malicious', 'tanjiti/webshellSample', '01142b76a05a', isPhp],
  ['evaluation', 'malicious', 'marcocesarato/PHP-Malware-Collection', 'b23b4a3106ca', isPhp],
  ['evaluation', 'malicious', 'tennc/webshell', '6b17eae4a0bc', isPhp],
  ['evaluation', 'malicious', 'BlackArch/webshells', 'e8e1a379c382', isPhp],
  ...ofPlugins(isPhp),
];

const JS_SOURCES: readonly CodeSource[] = [
  ['tuning', 'malicious', 'geeksonsecurity/js-malicious-dataset', '75ec48ad5eb7', isJs],
  [
    'tuning',
    'malicious',
    'HynekPetrak/javascript-malware-collection',
    'cdf1826f0079',
    (path) => /^2015\/.*\.js$/.test(path),
  ],
  [
    'tuning',
    'malicious',
    'HynekPetrak/javascript-malware-collection',
    'cdf1826f0079',
    (path) => /^201[67]\/.*\.js$/.test(path) && bucket(path) % 40 === 1,
  ],
  ['tuning', 'clean', 'johnpbloch/wordpress-core', '52ab9686bc1c', isJs],
  [
    'evaluation',
    'malicious',
    'HynekPetrak/javascript-malware-collection',
    'cdf1826f0079',
    (path) => /^201[67]\/.*\.js$/.test(path) && bucket(path) % 40 === 0,
  ],
  ...ofPlugins(isJs),
  ['evaluation', 'clean', 'ClassicPress/ClassicPress', 'b930d68ccf5e', isJs],
];

const HTTP_PARAMS = /^"((?:[^"]|"")*)","\d+","([\w-]+)"/;
const httpParams =
  (label: Label, wrap: (payload: string) => string, inputType: InputType): Read =>
  ({ path, content }) =>
    content.split('\n').flatMap((line) => {
      const [, payload, kind] = HTTP_PARAMS.exec(line) ?? [];
      if (payload === undefined || kind === 'attack_type' || (kind === 'norm') !== (label === 'clean'))
        return [];
      return [{ inputType, path: `${path} (${kind})`, content: wrap(payload.replaceAll('""', '"')) }];
    });

/** The payloads of a gotestwaf test file: a YAML list of plain or quoted texts. */
const goTestWaf: Read = ({ path, content }) => {
  const list = content.split(/^encoder:/m)[0] ?? '';
  return [...list.matchAll(/^ {2}- (?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\n|>"'][^\n]*))$/gm)].map(
    ([, double, single, plain]) => ({
      inputType: 'request' as const,
      path,
      content: double === undefined ? (single?.replaceAll("''", "'") ?? plain ?? '') : unquote(double),
    }),
  );
};

function unquote(text: string): string {
  try {
    return JSON.parse(`"${text.replaceAll('\\x', '\\u00')}"`);
  } catch {
    return text;
  }
}

/** Rules of the core rule set's first paranoia level, which is what it runs with by default. */
const ruleIdsOfLevelOne = (mirror: string, commit: string): ReadonlySet<string> =>
  new Set(
    readMirror(mirror, 'coreruleset/coreruleset', commit, (path) =>
      /^rules\/REQUEST-9\d\d.*\.conf$/.test(path),
    ).flatMap(({ content }) =>
      content
        .split(/^SecRule /m)
        .filter((rule) => rule.includes("tag:'paranoia-level/1'"))
        .map((rule) => /"id:(\d+)/.exec(rule)?.[1] ?? ''),
    ),
  );

/**
 * The requests of the core rule set's regression tests that a rule of the file's family must match: their target and body.
 * Read line by line, as far as the files are regular; what is not is left out.
 */
const coreRuleSet: Read = ({ path, content }) =>
  content
    .split(/^ {2}- test_id:/m)
    .slice(1)
    .flatMap((test) => {
      if (!/^\s+expect_ids:/m.test(test) || /no_expect_ids|encoded_request/.test(test)) return [];
      const field = (name: string) => {
        const value = new RegExp(`^\\s+${name}: (.+)$`, 'm').exec(test)?.[1]?.trim();
        return value === undefined || /^[|>]/.test(value) ? undefined : unquoteScalar(value);
      };
      const [uri, body] = [field('uri'), field('data')];
      if (uri === undefined && body === undefined) return [];
      const headers = [...test.matchAll(/^ {10,16}([A-Z][\w-]+): (.+)$/gm)].map(
        ([, name = '', value = '']) => `${name}: ${unquoteScalar(value.trim())}`,
      );
      return [
        {
          inputType: 'request' as const,
          path,
          content: `POST ${(uri ?? '/').replaceAll(' ', '%20')} HTTP/1.1\n${headers.join('\n')}\n\n${body ?? ''}`,
        },
      ];
    });

const unquoteScalar = (value: string): string => {
  if (value.startsWith('"') && value.endsWith('"')) return unquote(value.slice(1, -1));
  return value.startsWith("'") && value.endsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value;
};

const spamLine =
  (label: Label, side: Side): Read =>
  ({ path, content }) =>
    content.split('\n').flatMap((line) => {
      const [kind, message] = line.split('\t');
      if (message === undefined || (kind === 'spam') !== (label === 'malicious')) return [];
      const isTuning = bucket(message) % 2 === 0;
      return isTuning === (side === 'tuning') ? [{ inputType: 'text' as const, path, content: message }] : [];
    });

const ADDRESS = /\bhttps?:\/\/[\w.-]+\.[a-z]{2,}(?::\d+)?(?:\/[\w./?=&%#~+-]*[\w/])?/g;
const addressesIn: Read = ({ path, content }) =>
  [...new Set(content.match(ADDRESS) ?? [])].map((address) => ({
    inputType: 'url' as const,
    path,
    content: address,
  }));

const CORE_RULE_SET_COMMIT = '2cbd1d019cb7';
const CORE_RULE_SET_TEST = /^tests\/regression\/tests\/REQUEST-9(?:30|31|32|33|34|41|42|44)-.*\/(\d+)\.yaml$/;
const HTTP_PARAMS_FILE = [
  'Morzeux/HttpParamsDataset',
  '926670a71028',
  (path: string) => path === 'payload_full.csv',
] as const;
const GO_TEST_WAF = ['wallarm/gotestwaf', '67dfd7a73f4e'] as const;
const APACHE_LOGS = [
  'elastic/examples',
  '6d86454ebb7a',
  (path: string) => path === 'Common Data Formats/apache_logs/apache_logs',
] as const;
const SMS = [
  'justmarkham/pycon-2016-tutorial',
  '5339710562cc',
  (path: string) => path === 'data/sms.tsv',
] as const;
const CLEAN_TUNING = PHP_SOURCES.filter(([, , name]) =>
  ['johnpbloch/wordpress-core', 'laravel/framework'].includes(name),
);

/** Every source, with the side that it is on. */
export const SOURCES: readonly Source[] = [
  ...PHP_SOURCES.map(([side, label, name, commit, isWanted]) =>
    source('code: PHP', side, label, name, commit, isWanted, phpFile),
  ),
  ...JS_SOURCES.map(([side, label, name, commit, isWanted]) =>
    source('code: JavaScript', side, label, name, commit, isWanted, wholeFile('code')),
  ),
  ...(['tuning', 'evaluation'] as const).flatMap((side) =>
    COLLECTIONS.map(({ repository, commit, language, label, isWanted, every }) =>
      source(`code: ${language}`, side, label, repository, commit, isWanted, (file) =>
        (language === 'PHP' && !repository.startsWith('gwillem/') ? phpFile : wholeFile('code'))(file).filter(
          ({ content }) => content.trim().length >= 10 && sideOf(content, every) === side,
        ),
      ),
    ),
  ),
  source(
    'request',
    'tuning',
    'malicious',
    'fuzzdb-project/fuzzdb',
    '5656ab25dc6b',
    (path) =>
      /^attack\/(?:sql-injection|path-traversal|lfi|server-side-include)\/(?!.*(?:readme|docs)).*\.txt$/i.test(
        path,
      ),
    lines('request', (line) => (line.startsWith('#') ? undefined : line)),
  ),
  source(
    'request',
    'tuning',
    'malicious',
    'swisskyrepo/PayloadsAllTheThings',
    'f9fa51417886',
    (path) =>
      /(?:SQL Injection|XSS Injection|Command Injection|Directory Traversal)\/Intruders?\/(?!.*(?:event_handlers|jsonp|swf|dotdotpwn|Mario))/.test(
        path,
      ),
    lines('request', (line) => line),
  ),
  ...CLEAN_TUNING.map(([, , name, commit]) =>
    source(
      'request',
      'tuning',
      'clean',
      name,
      commit,
      (path) => /\.(?:md|txt)$/.test(path),
      lines('request', (line) => (line.trim().length > 10 ? comment(line) : undefined)),
    ),
  ),
  source(
    'request',
    'evaluation',
    'malicious',
    ...HTTP_PARAMS_FILE,
    httpParams('malicious', (payload) => payload, 'request'),
  ),
  source(
    'request',
    'evaluation',
    'malicious',
    ...GO_TEST_WAF,
    (path) => /^testcases\/(?:owasp|community)\/(?!.*\d+kb).*\.yml$/.test(path),
    goTestWaf,
  ),
  ...(['tuning', 'evaluation'] as const).map(
    (side): Source => ({
      category: 'request: unit tests of CRS',
      side,
      label: 'malicious',
      repository: 'coreruleset/coreruleset',
      commit: CORE_RULE_SET_COMMIT,
      casesOf(mirror) {
        const wanted = ruleIdsOfLevelOne(mirror, CORE_RULE_SET_COMMIT);
        const isTuning = (id: string) => Math.floor(Number(id) / 10) % 2 === 0;
        return readMirror(mirror, 'coreruleset/coreruleset', CORE_RULE_SET_COMMIT, (path) => {
          const id = CORE_RULE_SET_TEST.exec(path)?.[1];
          return id !== undefined && wanted.has(id) && isTuning(id) === (side === 'tuning');
        }).flatMap(coreRuleSet);
      },
    }),
  ),
  source(
    'request',
    'evaluation',
    'clean',
    ...HTTP_PARAMS_FILE,
    httpParams('clean', (payload) => payload, 'request'),
  ),
  source(
    'request',
    'evaluation',
    'clean',
    ...GO_TEST_WAF,
    (path) => /^testcases\/false-pos\/.*\.yml$/.test(path),
    goTestWaf,
  ),
  source(
    'request',
    'tuning',
    'clean',
    ...APACHE_LOGS,
    everySecond('tuning', lines('request', requestOfLogLine)),
  ),
  source(
    'request',
    'evaluation',
    'clean',
    ...APACHE_LOGS,
    everySecond('evaluation', lines('request', requestOfLogLine)),
  ),
  ...FIRST_PLUGINS.map(([, name, commit]) =>
    source(
      'request',
      'evaluation',
      'clean',
      name,
      commit,
      isReadme,
      lines('request', (line) => (line.trim().length > 10 ? comment(line) : undefined)),
    ),
  ),
  source('log', 'evaluation', 'malicious', ...HTTP_PARAMS_FILE, httpParams('malicious', logLine, 'log')),
  source(
    'log',
    'tuning',
    'clean',
    ...APACHE_LOGS,
    everySecond(
      'tuning',
      lines('log', (line) => line),
    ),
  ),
  source(
    'log',
    'evaluation',
    'clean',
    ...APACHE_LOGS,
    everySecond(
      'evaluation',
      lines('log', (line) => line),
    ),
  ),
  source(
    'url',
    'tuning',
    'malicious',
    'faizann24/Using-machine-learning-to-detect-malicious-URLs',
    '010248768a81',
    (path) => path === 'data/data2.csv',
    lines('url', (line) => (bucket(line) % 8 === 0 ? line.replace(/,bad$|\\n,bad$/, '') : undefined)),
  ),
  ...CLEAN_TUNING.map(([, , name, commit]) =>
    source('url', 'tuning', 'clean', name, commit, isPhp, addressesIn),
  ),
  source(
    'url',
    'evaluation',
    'malicious',
    'openphish/public_feed',
    '5610d1ffe6a1',
    (path) => path === 'feed.txt',
    lines('url', (line) => line),
  ),
  ...FIRST_PLUGINS.map(([, name, commit]) =>
    source('url', 'evaluation', 'clean', name, commit, isPhp, addressesIn),
  ),
  source('text', 'tuning', 'malicious', ...SMS, spamLine('malicious', 'tuning')),
  source('text', 'tuning', 'clean', ...SMS, spamLine('clean', 'tuning')),
  source('text', 'evaluation', 'malicious', ...SMS, spamLine('malicious', 'evaluation')),
  source('text', 'evaluation', 'clean', ...SMS, spamLine('clean', 'evaluation')),
  ...FIRST_PLUGINS.map(([, name, commit]) =>
    source(
      'text',
      'evaluation',
      'clean',
      name,
      commit,
      isReadme,
      lines('text', (line) => (line.trim().length > 20 ? line : undefined)),
    ),
  ),
  ...LATER_SOURCES.map(({ category, side, label, repository, commit, isWanted, read, inputType, every }) =>
    source(category, side, label, repository, commit, isWanted, ({ path, content }) =>
      read(content)
        .map((each) => ({ inputType, path, content: each.slice(0, CONTENT_CHARS_MAX) }))
        .filter((each) => each.content.trim().length > 2 && isTaken(each, every)),
    ),
  ),
];
