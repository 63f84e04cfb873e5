import type { InputType } from '../../../src/analysis/analysis.ts';
import type { Case, Label } from '../corpus.ts';
import { CLEAN_CODE, MALICIOUS_CODE } from './code.ts';
import { CLEAN_HIDDEN_CODE, MALICIOUS_HIDDEN_CODE } from './hidden-code.ts';
import { CLEAN_LANGUAGES, MALICIOUS_LANGUAGES } from './languages.ts';
import { CLEAN_LOGS, MALICIOUS_LOGS } from './logs.ts';
import {
  CLEAN_MISSED_REQUESTS,
  CLEAN_NEAR_MISSED,
  MALICIOUS_MISSED_REQUESTS,
  MALICIOUS_MISSES,
} from './misses.ts';
import { CLEAN_MISTAKES, MALICIOUS_MISTAKES } from './mistakes-code.ts';
import { CLEAN_MISREAD, MALICIOUS_MISREAD } from './mistakes-traffic.ts';
import { CLEAN_NEAR_MISSES, MALICIOUS_NEAR_MISSES } from './near-misses.ts';
import { CLEAN_SIDE_EFFECTS, MALICIOUS_SIDE_EFFECTS } from './php-side-effects.ts';
import { CLEAN_SITES, MALICIOUS_SITES } from './php-sites.ts';
import { CLEAN_TECHNIQUES, MALICIOUS_TECHNIQUES } from './request-techniques.ts';
import { CLEAN_REQUESTS, MALICIOUS_REQUESTS } from './requests.ts';
import { CLEAN_DRESSED_REQUESTS, MALICIOUS_DRESSED_REQUESTS } from './requests-dressed.ts';
import { CLEAN_HARD_REQUESTS, MALICIOUS_HARD_REQUESTS } from './requests-hard.ts';
import { CLEAN_IN_CONTEXT, MALICIOUS_IN_CONTEXT } from './requests-in-context.ts';
import { CLEAN_LIBRARIES, MALICIOUS_LIBRARIES } from './script-libraries.ts';
import { CLEAN_TABLES, MALICIOUS_TABLES } from './script-tables.ts';
import { CLEAN_SCRIPTS, MALICIOUS_SCRIPTS } from './scripts.ts';
import { CLEAN_SHELL_WORDS, MALICIOUS_SHELL_WORDS } from './shell-words.ts';
import { CLEAN_TEXTS, MALICIOUS_TEXTS } from './texts.ts';
import { CLEAN_FRAUDS, MALICIOUS_FRAUDS } from './texts-fraud.ts';
import { CLEAN_URLS, MALICIOUS_URLS } from './urls.ts';

export interface OwnCases {
  readonly category: InputType;
  readonly label: Label;
  readonly cases: readonly Case[];
}

/** Contents by what they show; written for this repository. */
export type Named = Readonly<Record<string, string>>;

const own = (inputType: InputType, label: Label, named: Named): OwnCases => ({
  category: inputType,
  label,
  cases: Object.entries(named).map(([path, content]) => ({ inputType, path, content })),
});

export const OWN_CASES: readonly OwnCases[] = [
  own('code', 'malicious', MALICIOUS_CODE),
  own('code', 'clean', CLEAN_CODE),
  own('code', 'malicious', MALICIOUS_HIDDEN_CODE),
  own('code', 'clean', CLEAN_HIDDEN_CODE),
  own('code', 'malicious', MALICIOUS_MISSES),
  own('code', 'clean', CLEAN_NEAR_MISSED),
  own('request', 'malicious', MALICIOUS_MISSED_REQUESTS),
  own('request', 'clean', CLEAN_MISSED_REQUESTS),
  own('code', 'malicious', MALICIOUS_MISTAKES),
  own('code', 'clean', CLEAN_MISTAKES),
  ...(['request', 'log', 'url', 'text'] as const).flatMap((inputType) => [
    own(inputType, 'malicious', MALICIOUS_MISREAD[inputType]),
    own(inputType, 'clean', CLEAN_MISREAD[inputType]),
  ]),
  own('code', 'malicious', MALICIOUS_NEAR_MISSES),
  own('code', 'clean', CLEAN_NEAR_MISSES),
  own('code', 'malicious', MALICIOUS_SCRIPTS),
  own('code', 'clean', CLEAN_SCRIPTS),
  own('code', 'malicious', MALICIOUS_LIBRARIES),
  own('code', 'clean', CLEAN_LIBRARIES),
  own('code', 'malicious', MALICIOUS_TABLES),
  own('code', 'clean', CLEAN_TABLES),
  own('code', 'malicious', MALICIOUS_LANGUAGES),
  own('code', 'clean', CLEAN_LANGUAGES),
  own('request', 'malicious', { ...MALICIOUS_REQUESTS, ...MALICIOUS_TECHNIQUES }),
  own('request', 'clean', { ...CLEAN_REQUESTS, ...CLEAN_TECHNIQUES }),
  own('request', 'malicious', MALICIOUS_DRESSED_REQUESTS),
  own('request', 'clean', CLEAN_DRESSED_REQUESTS),
  own('request', 'malicious', MALICIOUS_IN_CONTEXT),
  own('request', 'clean', CLEAN_IN_CONTEXT),
  own('request', 'malicious', MALICIOUS_HARD_REQUESTS),
  own('request', 'clean', CLEAN_HARD_REQUESTS),
  own('request', 'malicious', MALICIOUS_SHELL_WORDS),
  own('request', 'clean', CLEAN_SHELL_WORDS),
  own('code', 'malicious', MALICIOUS_SIDE_EFFECTS),
  own('code', 'clean', CLEAN_SIDE_EFFECTS),
  own('code', 'malicious', MALICIOUS_SITES),
  own('code', 'clean', CLEAN_SITES),
  own('log', 'malicious', MALICIOUS_LOGS),
  own('log', 'clean', CLEAN_LOGS),
  own('url', 'malicious', MALICIOUS_URLS),
  own('url', 'clean', CLEAN_URLS),
  own('text', 'malicious', MALICIOUS_TEXTS),
  own('text', 'clean', CLEAN_TEXTS),
  own('text', 'malicious', MALICIOUS_FRAUDS),
  own('text', 'clean', CLEAN_FRAUDS),
];
