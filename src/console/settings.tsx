/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { getAt } from '../http/route/endpoint.ts';
import { Table } from '../pages/table.tsx';
import type { Parts } from '../routes/parts.ts';
import { type SettingSource, shownConfig } from '../settings/config.ts';
import { AT_START_ONLY, OF_TLS, SETTINGS, type Setting, type SettingName } from '../settings/settings.ts';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { page, type Visit, type VisitParts } from './visit.ts';

const WORDS = TEXTS.settings;

const isOf = (names: readonly SettingName[], name: SettingName) => names.includes(name);

/** Returns when a change of a setting takes effect. */
function changeOf(name: SettingName): string {
  if (isOf(AT_START_ONLY, name)) return WORDS.atStart;
  return isOf(OF_TLS, name) ? WORDS.ofTls : WORDS.atReload;
}

/** Formats a value like in the environment. Secrets are only shown as set or not set. */
function shownValue({ secret }: Setting, value: unknown): string {
  if (secret) return value === null ? WORDS.notSet : WORDS.set;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value ?? '') || WORDS.notSet;
}

interface SettingsParts extends VisitParts, Parts<'health'> {
  /** The source of each setting. */
  readonly sources: Readonly<Record<SettingName, SettingSource>>;
}

/** The current settings, their sources, and the result of the last reload. */
export const settingsPage = (parts: SettingsParts) => {
  const { config, sources, health } = parts;

  const show = async ({ set, operator }: Visit) => {
    const values = shownConfig(config);
    const { hasLastFailed, reason, needRestart = [] } = health.reloads;
    return showPlace(
      { set, operator },
      PLACES.settings,
      <Fragment>
        {hasLastFailed ? (
          <p class="notice bad">
            <strong>{WORDS.failed}</strong>
            {reason ?? ''}
          </p>
        ) : null}
        {needRestart.length > 0 ? (
          <p class="notice warn">
            <strong>{WORDS.needRestart}</strong>
            {needRestart.join(', ')}
          </p>
        ) : null}
        <p class="quiet">{WORDS.about}</p>
        <Table
          label={WORDS.title}
          columns={Object.values(WORDS.columns)}
          rows={(Object.entries(SETTINGS) as [SettingName, Setting][]).map(([name, setting]) => [
            <Fragment>
              <code>{setting.env}</code>
              <small>{setting.help}</small>
            </Fragment>,
            shownValue(setting, values[setting.env]),
            WORDS.sources[sources[name]],
            setting.fallback || WORDS.notSet,
            changeOf(name),
          ])}
        />
      </Fragment>,
    );
  };

  return [getAt(PLACES.settings.path, page(parts, 'support', show))];
};
