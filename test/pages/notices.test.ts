import { expect, test } from 'bun:test';
import { Notices } from '../../src/pages/notices.ts';

const reader = (token: string) => ({ token, request: new Request('http://localhost/') });

test('a session with many unread notices loses its own oldest, and none of another session', () => {
  const notices = new Notices();
  notices.leave({ token: 'other' }, '/key', { words: 'made', secret: 'a key' });
  for (let at = 0; at <= 1_000; at += 1) notices.leave({ token: 'own' }, `/${at}`, { words: String(at) });
  expect(notices.take(reader('other'), '/key')).toEqual([{ words: 'made', secret: 'a key' }]);
  expect([notices.take(reader('own'), '/950'), notices.take(reader('own'), '/951')]).toEqual([
    [],
    [{ words: '951' }],
  ]);
});
