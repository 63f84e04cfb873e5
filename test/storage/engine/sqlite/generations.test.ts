import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Database, disconnect } from '../../../../src/storage/engine/database.ts';
import { connect } from '../../../../src/storage/engine/sqlite/database.ts';
import { readGenerations } from '../../../../src/storage/engine/sqlite/generations.ts';
import { execute } from '../../../../src/storage/engine/statement.ts';
import { newDatabase } from '../../../support/database.ts';

let here: Database;
let elsewhere: Database;
beforeEach(() => {
  const path = newDatabase();
  here = connect(path);
  elsewhere = connect(path);
});
afterEach(async () => {
  await disconnect(here);
  await disconnect(elsewhere);
});

const publish = () =>
  execute(elsewhere, "insert into feed_snapshots (id, epoch, generated_at, entries) values (1, 1, 1, '[]')");
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the generations', () => {
  test('show commits of another connection from the next turn of the event loop', async () => {
    const generations = readGenerations(here);
    const before = generations().feed;
    await publish();
    await nextTurn();
    expect(generations().feed).toBeGreaterThan(before);
  });

  test('are read once in a turn, so that one turn sees one state', async () => {
    const generations = readGenerations(here);
    const before = generations();
    await publish();
    expect(generations()).toBe(before);
    await nextTurn();
    expect(generations()).not.toBe(before);
  });

  test('do not count rolled back changes', async () => {
    const generations = readGenerations(here);
    const before = generations().feed;
    await elsewhere.connection.beginChanging();
    await publish();
    await elsewhere.connection.rollback();
    await nextTurn();
    expect(generations().feed).toBe(before);
  });
});
