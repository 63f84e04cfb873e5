import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ACTOR_NAME } from '../../../src/domain/admin/actor-name.ts';
import { groupsAt, nameOfPerson, roleOfGroups } from '../../../src/domain/admin/identity-claims.ts';

describe('groups', () => {
  test.each([
    ['a list', { groups: ['a', 'b'] }, 'groups', ['a', 'b']],
    ['a text, which is one group', { groups: 'a b,c' }, 'groups', ['a b,c']],
    ['a list of other things as well', { groups: ['a', 1, null, ['b']] }, 'groups', ['a']],
    ['within objects', { realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    ['by a name with dots', { 'https://example.com/groups': ['a'] }, 'https://example.com/groups', ['a']],
    ['nowhere', {}, 'groups', undefined],
    ['an object', { groups: { a: true } }, 'groups', undefined],
    ['a number', { groups: 7 }, 'groups', undefined],
    ['below a text', { realm_access: 'roles' }, 'realm_access.length', undefined],
    ['what every object has', {}, 'constructor.name', undefined],
    ['what every list has', { groups: ['a'] }, 'groups.length', undefined],
  ] as const)('are read from %s', (_, claims, path, expected) => {
    expect(groupsAt(claims, path)).toEqual(expected as never);
  });
});

describe('a role', () => {
  const OF = { viewer: ['*'], support: ['helpdesk'], operator: [], owner: ['owners', 'admins'] };
  test.each([
    [['helpdesk', 'admins'], 'owner'],
    [['owners'], 'owner'],
    [['helpdesk'], 'support'],
    [['other'], 'viewer'],
    [[], 'viewer'],
  ] as const)('of %p is the highest one', (groups, role) => {
    expect(roleOfGroups(groups, OF)).toBe(role);
  });
  test('is none without a group that has one, and "*" is no name of a group', () => {
    const of = { ...OF, viewer: ['everyone'] };
    for (const groups of [[], ['other'], ['OWNERS'], ['owner'], ['*']])
      expect(roleOfGroups(groups, of)).toBeUndefined();
  });
});

test('a name is always one that an operator may have and none has', () => {
  const texts = fc.option(fc.string({ unit: 'binary', maxLength: 60 }), { nil: undefined });
  fc.assert(
    fc.property(texts, texts, texts, fc.nat(12), (preferred_username, email, sub, taken) => {
      const names: string[] = [];
      for (let count = 0; count <= taken; count += 1)
        names.push(nameOfPerson({ preferred_username, email, sub }, (name) => names.includes(name)));
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(ACTOR_NAME);
    }),
  );
});
