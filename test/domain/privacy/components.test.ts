import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { inspectComponents } from '../../../src/domain/privacy/components.ts';
import {
  COMPONENT_NAME,
  COMPONENT_VERSION,
  ECOSYSTEM_NAME,
  NAME_HASH,
} from '../../../src/domain/vulnerability/component.ts';
import { nameHash } from '../../../src/domain/vulnerability/ecosystem.ts';

type Fields = Readonly<Record<string, unknown>>;
const plugin = { ecosystem: 'wordpress-plugin', name: 'gallery', version: '1.2.3' };
const found = (...components: readonly unknown[]) => inspectComponents({ components });

describe('a component is accepted', () => {
  test.each<[string, Fields]>([
    ['a version that looks like an address', { version: '1.2.3.4' }],
    ['a version that looks like a phone number', { version: '20211016ubuntu1' }],
    ['a version that looks like a card', { version: '4111111111111111' }],
    ['a version with an epoch', { version: '1:9.2p1-2+deb12u3' }],
    ['a version that looks random', { version: '0.0.0-20230802210424-5b0b94c5c0d3' }],
    ['a scope of npm', { ecosystem: 'npm', name: '@babel/plugin-transform-react-jsx' }],
    ['a file name of npm', { ecosystem: 'npm', name: 'socket.io' }],
    [
      'a name with a version of an ecosystem that is not supported',
      { ecosystem: 'go', name: 'gopkg.in/yaml.v3' },
    ],
    ['a vendor', { ecosystem: 'packagist', name: 'symfony/http-foundation' }],
    ['a host with a path', { ecosystem: 'go', name: 'github.com/gorilla/mux' }],
    ['a package of Debian', { ecosystem: 'debian:12', name: 'libstdc++' }],
    ['a hash in place of the name', { name: undefined, name_hash: nameHash('wordpress-plugin', 'gallery') }],
    ['a status', { status: 'inactive' }],
  ])('with %s', (_, changed) => {
    expect(found({ ...plugin, ...changed })).toBeUndefined();
  });

  test('with values that the schema checks', () => {
    expect(
      found({ ecosystem: 1, name: null, version: ['1'], status: 'gone', name_hash: 'x' }),
    ).toBeUndefined();
    for (const body of [null, [], {}, { components: {} }, { components: [] }, { components: [null, []] }])
      expect(inspectComponents(body)).toBeUndefined();
  });
});

describe('a component is refused', () => {
  test.each<[string, Fields, path: string, rule: string]>([
    ['an absolute path', { name: '/var/www/html/wp-content/plugins/gallery' }, '.name', 'value.path'],
    ['a path of a home', { name: '~ann/gallery' }, '.name', 'value.path'],
    ['a way up', { ecosystem: 'packagist', name: '../gallery' }, '.name', 'value.path'],
    ['a plugin with its file', { name: 'gallery/gallery.php' }, '.name', 'value.path'],
    ['more than one scope', { ecosystem: 'npm', name: '@scope/name/file.js' }, '.name', 'value.path'],
    ['a scope without its sign', { ecosystem: 'npm', name: 'scope/name' }, '.name', 'value.path'],
    ['an address of a person', { ecosystem: 'npm', name: 'ann@example.com' }, '.name', 'value.email'],
    ['an address of a host', { name: 'gallery-10.4.0.1' }, '.name', 'value.ipv4'],
    ['a title', { title: 'Gallery' }, '.title', 'key.component-detail'],
    ['an author', { author: 'Ann' }, '.author', 'key.component-detail'],
    ['a URL', { plugin_url: 'x' }, '.<key 3>', 'key.component-detail'],
    ['a path next to it', { path: 'x' }, '.path', 'key.path'],
    ['users', { user_count: 3 }, '.user_count', 'key.component-detail'],
    ['installations', { installCount: 3 }, '.installCount', 'key.component-detail'],
    [
      'a detail inside',
      { more: { list: [1, { authors: [] }] } },
      '.<key 3>.list[1].authors',
      'key.component-detail',
    ],
    ['a name inside', { more: { name: 'x' } }, '.<key 3>.name', 'key.person'],
    ['a token', { more: `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}` }, '.<key 3>', 'value.token.github'],
    ['a file name', { more: 'readme.txt' }, '.<key 3>', 'value.file-name'],
    ['an e-mail for a key', { 'ann@example.com': 1 }, '.<key 3>', 'value.email'],
  ])('with %s', (_, changed, path, rule) => {
    expect(found(plugin, { ...plugin, ...changed })).toEqual({ path: `components[1]${path}`, rule });
  });

  test('that is not an object, at its place', () => {
    expect(found(plugin, '/etc/passwd')).toEqual({ path: 'components[1]', rule: 'value.path' });
    expect(found([plugin, 'ann@example.com'])).toEqual({ path: 'components[0][0].name', rule: 'key.person' });
  });

  test('also for a field next to the components, and when these are not a list', () => {
    expect(inspectComponents({ components: [], site: { title: 'x' } })).toMatchObject({ path: 'site.title' });
    expect(inspectComponents({ components: { title: 'x' } })).toMatchObject({ path: 'components.title' });
    expect(inspectComponents({ name: 'x', components: [] })).toEqual({ path: 'name', rule: 'key.person' });
    expect(inspectComponents({ components: [], 'ann@example.com': 1 })).toMatchObject({ path: '<key 1>' });
    expect(inspectComponents([{ url: 'x' }])).toMatchObject({ path: '[0].url' });
  });
});

test('a component with only the fields of the contract is refused for its name only, without repeating it', () => {
  const whole = (pattern: RegExp) => fc.stringMatching(pattern);
  const component = fc.record(
    {
      ecosystem: fc.oneof(whole(ECOSYSTEM_NAME), fc.constantFrom('npm', 'wordpress-plugin')),
      name: fc.oneof(
        whole(COMPONENT_NAME),
        fc
          .constantFrom('a@b.c', '/srv/a', '10.4.0.1')
          .chain((bad) => whole(COMPONENT_NAME).map((rest) => `${bad}${rest}`)),
      ),
      name_hash: whole(NAME_HASH),
      version: whole(COMPONENT_VERSION),
      status: fc.constantFrom('active', 'inactive'),
    },
    { requiredKeys: ['ecosystem', 'version'] },
  );
  let refused = 0;
  fc.assert(
    fc.property(component, (one) => {
      const violation = found(one);
      if (violation === undefined) return;
      refused += 1;
      expect(violation.path).toBe('components[0].name');
      expect(['value.email', 'value.path', 'value.ipv4']).toContain(violation.rule);
    }),
  );
  expect(refused).toBeGreaterThan(10);
});
