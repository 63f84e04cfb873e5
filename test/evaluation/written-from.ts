import { PHP } from '../../src/analysis/php/signals.ts';
import { SCRIPT } from '../../src/analysis/script/signals.ts';
import type { Signal } from '../../src/analysis/signal.ts';
import { SOURCES } from './corpus.ts';

/** Sources that a rule was written from, as far as known (SOURCES.md). */
const WRITTEN: readonly (readonly [sources: readonly string[], signals: readonly Signal[]])[] = [
  [['ysrc/webshell-sample', 'xl7dev/WebShell'], Object.values(SCRIPT)],
  // From contents of our own, of which `cases/` has the telling ones.
  [
    [],
    [
      PHP.passwordKept,
      PHP.passwordSet,
      PHP.passwordGiven,
      PHP.administratorBySql,
      PHP.administratorMade,
      PHP.administratorKnown,
      PHP.accountHidden,
      PHP.pluginHidden,
      PHP.protectionOff,
      PHP.loginAdministrator,
      PHP.loginOpen,
      PHP.settingsShown,
      PHP.hashesShown,
      PHP.cardMailed,
      PHP.cardSent,
      PHP.hoardDisguised,
      PHP.hoardEncoded,
    ],
  ],
];
const KNOWN = new Map(WRITTEN.flatMap(([sources, signals]) => signals.map((signal) => [signal, sources])));

/** All others were written from, and tried on, the sources of the tuning side: a source with a part there is one. */
export const TUNED_BY: ReadonlySet<string> = new Set(
  SOURCES.filter(({ side }) => side === 'tuning').map(({ repository }) => repository),
);

/** Whether what a signal finds in a source says nothing, because the signal was written to find it there. */
export const isWrittenFrom = (signal: Signal, repository: string): boolean =>
  KNOWN.get(signal)?.includes(repository) ?? TUNED_BY.has(repository);
