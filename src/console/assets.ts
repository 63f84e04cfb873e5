import { hash } from 'node:crypto';
import { Elysia } from 'elysia';
import { answerFixed } from '../http/representations.ts';
import script from './client.js' with { type: 'text' };
import icon from './icon.svg' with { type: 'text' };
import style from './style.css' with { type: 'text' };

/** A file of the console, by a name that changes with its content. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

const asset = (name: string, extension: string, type: string, content: string): Asset => ({
  path: `/console/${name}-${hash('sha256', content, 'hex').slice(0, 12)}.${extension}`,
  type,
  content,
});

export const STYLE = asset('style', 'css', 'text/css;charset=utf-8', style);
export const SCRIPT = asset('client', 'js', 'text/javascript;charset=utf-8', script);
export const ICON = asset('icon', 'svg', 'image/svg+xml', icon);

/** For everybody: nothing in them is secret. */
export const assets = () =>
  new Elysia().use(
    [STYLE, SCRIPT, ICON].map(({ path, type, content }) =>
      new Elysia().get(
        path,
        answerFixed(() => content, {
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
        }),
      ),
    ),
  );
