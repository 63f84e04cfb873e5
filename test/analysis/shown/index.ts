import type { InputType } from '../../../src/analysis/analysis.ts';
import { JS } from '../../../src/analysis/js/signals.ts';
import { LOG } from '../../../src/analysis/log/signals.ts';
import { MODEL } from '../../../src/analysis/model/signals.ts';
import { PHP } from '../../../src/analysis/php/signals.ts';
import { REQUEST } from '../../../src/analysis/request/signals.ts';
import { SCRIPT } from '../../../src/analysis/script/signals.ts';
import type { Signal } from '../../../src/analysis/signal.ts';
import { SCHEME } from '../../../src/analysis/text/schemes.ts';
import { TEXT } from '../../../src/analysis/text/signals.ts';
import { URL_SIGNALS } from '../../../src/analysis/url-signals.ts';
import { SHOWN_JS } from './js.ts';
import { SHOWN_LOG } from './log.ts';
import type { Pair } from './pair.ts';
import { SHOWN_PHP } from './php.ts';
import { SHOWN_REQUEST } from './request.ts';
import { SHOWN_SCRIPT } from './script.ts';
import { SHOWN_SCHEMES, SHOWN_TEXT } from './text.ts';
import { SHOWN_URL } from './url.ts';

/** A table of signals, and the contents that show those which no case shows. */
export interface Table {
  readonly name: string;
  /** What it is about. */
  readonly title: string;
  /** Where it stands in src/analysis, and its contents in test/analysis/shown. */
  readonly file: string;
  readonly pairsFile: string;
  readonly inputType: InputType;
  /** Several signals under one name are steps of one. */
  readonly signals: Readonly<Record<string, Signal | readonly Signal[]>>;
  readonly pairs: Readonly<Record<string, Pair | undefined>>;
}

const table = (
  [name, title, file]: readonly [name: string, title: string, file: string],
  inputType: InputType,
  signals: Table['signals'],
  [pairsFile, pairs]: readonly [file: string, pairs: Table['pairs']],
): Table => ({ name, title, file, inputType, signals, pairsFile, pairs });

export const TABLES: readonly Table[] = [
  table(['PHP', 'PHP', 'php/signals.ts'], 'code', PHP, ['php.ts', SHOWN_PHP]),
  table(['JS', 'JavaScript', 'js/signals.ts'], 'code', JS, ['js.ts', SHOWN_JS]),
  table(['SCRIPT', 'Other languages', 'script/signals.ts'], 'code', SCRIPT, ['script.ts', SHOWN_SCRIPT]),
  table(['MODEL', 'The statistical model', 'model/signals.ts'], 'code', MODEL, ['model.ts', {}]),
  table(['REQUEST', 'Requests', 'request/signals.ts'], 'request', REQUEST, ['request.ts', SHOWN_REQUEST]),
  table(['LOG', 'Log lines', 'log/signals.ts'], 'log', LOG, ['log.ts', SHOWN_LOG]),
  table(['URL_SIGNALS', 'URLs', 'url-signals.ts'], 'url', URL_SIGNALS, ['url.ts', SHOWN_URL]),
  table(['TEXT', 'Texts', 'text/signals.ts'], 'text', TEXT, ['text.ts', SHOWN_TEXT]),
  table(['SCHEME', 'Known phishing and fraud schemes', 'text/schemes.ts'], 'text', SCHEME, [
    'text.ts',
    SHOWN_SCHEMES,
  ]),
];
