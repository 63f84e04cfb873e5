import type { Signal } from '../signal.ts';
import { setOf } from '../words.ts';
import type { Fact } from './facts.ts';
import { relaysMessage } from './mails.ts';
import { PHP } from './signals.ts';
import type { Walk } from './walk.ts';

/** Facts without a data flow between them that are suspicious together. */
interface Combination {
  readonly signal: Signal;
  /** Reported at the place of the first fact. */
  readonly needs: readonly [Fact, ...Fact[]];
  readonly when?: (walk: Walk) => boolean;
}

/** Words of a page that is part of a program: includes, classes or sessions. */
const OF_PROGRAMS = setOf(
  'include include_once require require_once class namespace _SESSION -> session_start',
);
const DATABASE = /^(?:mysqli?|pg|mssql|sqlite|odbc|wp)_/;

/** Whether a page is self-contained: no access checks, includes or databases. */
const standsAlone = ({ guards, tokens }: Walk): boolean =>
  guards.size === 0 &&
  !tokens.some(
    ({ kind, text }) =>
      (kind === 'name' || kind === 'variable' || kind === 'operator') &&
      (OF_PROGRAMS.has(text) || (kind === 'name' && DATABASE.test(text))),
  );

const COMBINATIONS: readonly Combination[] = [
  { signal: PHP.standsAlone, needs: ['storesUpload'], when: standsAlone },
  { signal: PHP.tracesCovered, needs: ['deletesItself', 'setsTimesBack'] },
  { signal: PHP.startedAndDeleted, needs: ['startsProgram', 'deletesItself'] },
  { signal: PHP.suspectedRestored, needs: ['restoresSuspected'] },
  { signal: PHP.pageSpread, needs: ['writesPage', 'searchesFolders', 'picksFolders'] },
  { signal: PHP.formForwarded, needs: ['forwardsForm', 'sendsAway'] },
  { signal: PHP.hiddenFromAdministrators, needs: ['printsForeign', 'hooksPages', 'sparesAdministrators'] },
  { signal: PHP.cloaking, needs: ['printsForeign', 'asksForRobots'] },
  { signal: PHP.doorway, needs: ['readsVisitor', 'showsRemote'] },
  { signal: PHP.mailRelay, needs: ['addressesCaller'], when: relaysMessage },
];

/** Reports every combination that a file has all facts of. */
export function judgeCombinations(walk: Walk): void {
  const { facts } = walk;
  for (const { signal, needs, when } of COMBINATIONS)
    if (needs.every((fact) => facts.has(fact)) && when?.(walk) !== false)
      walk.report(signal, walk.placeOf(needs[0]));
}
