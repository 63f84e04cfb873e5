import type { shownConfig } from './config.ts';
import { AT_START_ONLY, OF_TLS, SETTINGS, type SettingName } from './settings.ts';

/** Settings as returned by `shownConfig`, by environment variable. */
export type ShownSettings = Readonly<ReturnType<typeof shownConfig>>;

/** Settings that differ from those of a running server, by environment variable. */
export interface SettingChanges {
  /** Those that a reload applies. */
  readonly reload: readonly string[];
  readonly restart: readonly string[];
}

const envNames = (names: readonly SettingName[]): readonly string[] =>
  names.map((name) => SETTINGS[name].env);

/** Finds settings that differ from those of a running server. Of secrets, only whether they are set; ignores unknown settings. */
export function compareSettings(running: ShownSettings, next: ShownSettings): SettingChanges {
  const changed = Object.keys(next).filter(
    (name) => name in running && JSON.stringify(running[name]) !== JSON.stringify(next[name]),
  );
  const switches = (name: string) => (running[name] === null) !== (next[name] === null);
  const needsRestart = (name: string) =>
    envNames(AT_START_ONLY).includes(name) || (envNames(OF_TLS).includes(name) && switches(name));
  return {
    reload: changed.filter((name) => !needsRestart(name)),
    restart: changed.filter(needsRestart),
  };
}
