import { expect, test } from 'bun:test';
import { Fault, faultOf, reasonOf } from '../../src/lib/fault.ts';

test('the description of an error has its name, code and frames, and no messages', () => {
  const cause = Object.assign(new Error('secret cause'), {
    code: 'ERR_SQLITE_ERROR',
    errstr: 'disk is full',
  });
  const text = faultOf(new TypeError('secret query\nparams: secret', { cause }));
  expect(text).toStartWith('TypeError | ERR_SQLITE_ERROR | disk is full | at ');
  expect(text).not.toContain('secret');
  expect(faultOf('secret')).toBe('string');
});

test('an error caused by a fault has the message of the fault', () => {
  const fault = new Fault('the queue is full');
  const query = new TypeError('secret query', { cause: fault });
  const job = new Error('secret job', { cause: query });
  for (const error of [fault, query, job]) {
    expect(faultOf(error)).toBe('the queue is full');
    expect(reasonOf(error)).toBe('the queue is full');
  }
  expect(faultOf(new Fault('nothing was stored', { cause: query }))).toBe('nothing was stored');
});
