import { expect, test } from 'bun:test';
import { getAt } from '../../src/http/route/endpoint.ts';
import { mounted } from '../../src/http/route/mount.ts';

const app = mounted([getAt('/things/:one/parts/:two', ({ params }) => new Response(JSON.stringify(params)))]);
const paramsOf = async (one: string, two: string) =>
  (await app.handle(new Request(`http://localhost/things/${one}/parts/${two}`))).json();

test.each(['%ff', '%', '%zz', '%ed%a0%80', '%c0%80', '%00', 'a%00b', 'a%ffb'])(
  'a part of a path that is not UTF-8, or contains NUL, is read as an empty one: %p',
  async (bad) => {
    expect(await paramsOf(bad, 'x')).toEqual({ one: '', two: 'x' });
    expect(await paramsOf('x', bad)).toEqual({ one: 'x', two: '' });
  },
);

test('any other part is decoded', async () => {
  expect(await paramsOf('a%2fb%20c', '%C3%BC')).toEqual({ one: 'a/b c', two: 'ü' });
});
