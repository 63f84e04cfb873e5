import { expect, test } from 'bun:test';
import { Fault, faultOf } from '../../src/lib/fault.ts';

test('of an error its name, code and frames are told, never its message or that of its cause', () => {
  const cause = Object.assign(new Error('secret cause'), {
    code: 'ERR_SQLITE_ERROR',
    errstr: 'disk is full',
  });
  const text = faultOf(new TypeError('secret query\nparams: secret', { cause }));
  expect(text).toStartWith('TypeError | ERR_SQLITE_ERROR | disk is full | at ');
  expect(text).not.toContain('secret');
  expect(faultOf('secret')).toBe('string');
});

test('our own words are told', () => {
  expect(faultOf(new Fault('the queue is full'))).toBe('the queue is full');
});
