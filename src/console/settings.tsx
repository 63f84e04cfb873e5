/** @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import { Fragment } from 'hono/jsx';
import { Table } from '../pages/table.tsx';
import { shownConfig } from '../settings/config.ts';
import { AT_START_ONLY, OF_TLS, SETTINGS, type Setting, type SettingName } from '../settings/settings.ts';
import { PLACES } from './places.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { type ConsoleParts, page, type Visit } from './visit.ts';

const WORDS = TEXTS.settings;

const isOf = (names: readonly SettingName[], name: SettingName) => names.includes(name);

/** When a change of a setting holds. */
function changeOf(name: SettingName): string {
  if (isOf(AT_START_ONLY, name)) return WORDS.atStart;
  return isOf(OF_TLS, name) ? WORDS.ofTls : WORDS.atReload;
}

/** A value as it would stand in the environment; of a secret, whether there is one. */
function shownValue({ secret }: Setting, value: unknown): string {
  if (secret) return value === null ? WORDS.notSet : WORDS.set;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value ?? '') || WORDS.notSet;
}

/** What holds, where it comes from, and what the last reload said. */
export const settingsPage = (parts: ConsoleParts) => {
  const { config, sources, health } = parts;

  const show = async ({ set, operator }: Visit) => {
    const values = shownConfig(config);
    const { hasLastFailed, reason, needRestart = [] } = health.reloads;
    return showPage(set, {
      title: WORDS.title,
      operator,
      at: PLACES.settings,
      children: (
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
              <code>{setting.env}</code>,
              shownValue(setting, values[setting.env]),
              WORDS.sources[sources[name]],
              setting.fallback || WORDS.notSet,
              changeOf(name),
              setting.help,
            ])}
          />
        </Fragment>
      ),
    });
  };

  return new Elysia().get(PLACES.settings.path, page(parts, 'operator', show) as () => Promise<Response>);
};
