import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { connect, type Database } from '../../../src/storage/engine/database.ts';
import { readGenerations } from '../../../src/storage/engine/generations.ts';
import { newDatabase } from '../../support/database.ts';

let here: Database;
let elsewhere: Database;
beforeEach(() => {
  const path = newDatabase();
  here = connect(path);
  elsewhere = connect(path);
});
afterEach(() => {
  here.$client.close();
  elsewhere.$client.close();
});

const publish = (epoch: number) =>
  elsewhere.$client
    .prepare('insert or replace into feed_snapshots (id, epoch, generated_at, entries) values (1, ?, 1, ?)')
    .run(epoch, '[]');
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the generations', () => {
  test('show what another connection committed from the next turn of the event loop on', async () => {
    const generations = readGenerations(here);
    const before = generations().feed;
    publish(1);
    await nextTurn();
    expect(generations().feed).toBeGreaterThan(before);
  });

  test('are read once in a turn, so that one turn sees one state', async () => {
    const generations = readGenerations(here);
    const before = generations();
    publish(1);
    expect(generations()).toBe(before);
    await nextTurn();
    expect(generations()).not.toBe(before);
  });

  test('do not count what was rolled back', async () => {
    const generations = readGenerations(here);
    const before = generations().feed;
    elsewhere.$client.exec('BEGIN IMMEDIATE');
    publish(1);
    elsewhere.$client.exec('ROLLBACK');
    await nextTurn();
    expect(generations().feed).toBe(before);
  });
});
