import { hash } from 'node:crypto';
import { answerFixed } from '../http/representations.ts';
import { getAt } from '../http/route/endpoint.ts';
import script from './client.js' with { type: 'text' };
import icon from './icon.svg' with { type: 'text' };
import base from './style/base.css' with { type: 'text' };
import charts from './style/charts.css' with { type: 'text' };
import components from './style/components.css' with { type: 'text' };
import frame from './style/frame.css' with { type: 'text' };
import tokens from './style/tokens.css' with { type: 'text' };

const STYLE = [tokens, base, frame, components, charts].join('');

/** A file of the pages, by a name that changes with its content. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

export type Assets = Readonly<Record<'style' | 'script' | 'icon', Asset>>;

/** What every page asks for, below a path. */
export function assetsBelow(base: string): Assets {
  const asset = (name: string, extension: string, type: string, content: string): Asset => ({
    path: `${base}/${name}-${hash('sha256', content, 'hex').slice(0, 12)}.${extension}`,
    type,
    content,
  });
  return {
    style: asset('style', 'css', 'text/css;charset=utf-8', STYLE),
    script: asset('client', 'js', 'text/javascript;charset=utf-8', script),
    icon: asset('icon', 'svg', 'image/svg+xml', icon),
  };
}

/** Serves them to everybody: nothing in them is secret. */
export const serveAssets = (assets: Assets) =>
  Object.values(assets).map(({ path, type, content }) =>
    getAt(
      path,
      answerFixed(() => content, {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
      }),
    ),
  );
