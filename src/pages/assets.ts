import { hash } from 'node:crypto';
import { type Accent, accentStyle } from '../domain/brand/accent.ts';
import { type Brand, OWN_BRAND } from '../domain/brand/brand.ts';
import { answerFixed } from '../http/representations.ts';
import { getAt } from '../http/route/endpoint.ts';
import script from './client.js' with { type: 'text' };
import icon from './icon.svg' with { type: 'text' };
import base from './style/base.css' with { type: 'text' };
import charts from './style/charts.css' with { type: 'text' };
import components from './style/components.css' with { type: 'text' };
import frame from './style/frame.css' with { type: 'text' };
import print from './style/print.css' with { type: 'text' };
import tokens from './style/tokens.css' with { type: 'text' };

const STYLE = [tokens, base, frame, components, charts, print].join('');

/** A static file. Its path contains a hash of its content, so that it can be cached forever. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

export type Assets = Readonly<Record<'style' | 'script' | 'icon', Asset>> & { readonly logo?: Asset };

const LOGO_EXTENSIONS = { 'image/svg+xml': 'svg', 'image/png': 'png' } as const;

/** Returns the files that every page loads, with paths below `base`. */
export function assetsBelow(base: string, { accent, logo }: Brand = OWN_BRAND): Assets {
  const asset = (name: string, extension: string, type: string, content: Asset['content']): Asset => ({
    path: `${base}/${name}-${hash('sha256', content, 'hex').slice(0, 12)}.${extension}`,
    type,
    content,
  });
  return {
    style: asset('style', 'css', 'text/css;charset=utf-8', styleWith(accent)),
    script: asset('client', 'js', 'text/javascript;charset=utf-8', script),
    icon: asset('icon', 'svg', 'image/svg+xml', icon),
    ...(logo && { logo: asset('logo', LOGO_EXTENSIONS[logo.type], logo.type, logo.content) }),
  };
}

const styleWith = (accent: Accent | undefined): string =>
  accent === undefined ? STYLE : STYLE + accentStyle(accent);

/** Serves the files publicly. The sandbox prevents an SVG that is opened directly from running scripts or loading files. */
export const serveAssets = (assets: Assets) =>
  Object.values(assets).map(({ path, type, content }) =>
    getAt(
      path,
      answerFixed(() => content, {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      }),
    ),
  );
