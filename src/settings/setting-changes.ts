import type { shownConfig } from './config.ts';
import { AT_START_ONLY, OF_TLS, SETTINGS, type SettingName } from './settings.ts';

/** Settings as `shownConfig` gives them, by their names in the environment. */
export type ShownSettings = Readonly<ReturnType<typeof shownConfig>>;

/** Settings that are not as a running server has them, by their names in the environment. */
export interface SettingChanges {
  /** What a reload takes over. */
  readonly reload: readonly string[];
  readonly restart: readonly string[];
}

const named = (names: readonly SettingName[]): readonly string[] => names.map((name) => SETTINGS[name].env);

/** Compares settings with those that a server runs with. Of secrets, only whether they are set; nothing of what one of both does not know. */
export function compareSettings(running: ShownSettings, next: ShownSettings): SettingChanges {
  const changed = Object.keys(next).filter(
    (name) => name in running && JSON.stringify(running[name]) !== JSON.stringify(next[name]),
  );
  const switches = (name: string) => (running[name] === null) !== (next[name] === null);
  const needsRestart = (name: string) =>
    named(AT_START_ONLY).includes(name) || (named(OF_TLS).includes(name) && switches(name));
  return {
    reload: changed.filter((name) => !needsRestart(name)),
    restart: changed.filter(needsRestart),
  };
}
