import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Connections } from '../../src/lib/connections.ts';
import type { Peer } from '../../src/lib/turn-budget.ts';

class FakeSocket {
  isDestroyed = false;
  destroy(): void {
    this.isDestroyed = true;
  }
}

const PROXY = '10.0.0.1';

/** Connections in a time that passes when the test says so. */
function connectionsOf(inAllMax: number, perUnitMax: number) {
  const clock = { nowMs: 0 };
  const told: number[] = [];
  const connections = new Connections<FakeSocket>(() => clock.nowMs);
  connections.bound({
    inAllMax,
    perUnitMax,
    unitOf: (address) => (address === PROXY ? undefined : address),
    onCrowded: ({ open }) => told.push(open),
  });
  let port = 0;
  const open = (address = 'a') => {
    const socket = new FakeSocket();
    const peer: Peer = { address, port: ++port };
    const isIn = connections.admit(socket, peer);
    return { socket, peer, isIn };
  };
  /** Begins to answer, until the function that it returns is called. */
  const ask = (peer: Peer) => {
    const connection = connections.of(peer);
    if (connection === undefined) throw new Error('it is not open');
    const { promise, resolve } = Promise.withResolvers<Response>();
    const answer = connections.answering(connection, promise);
    return async () => {
      resolve(new Response());
      await answer;
    };
  };
  return { connections, clock, told, open, ask };
}

describe('where there is no room, a newcomer', () => {
  test('takes the place of the one that has been silent longest', () => {
    const { open, clock, connections } = connectionsOf(3, 3);
    const [first, second] = [open(), open('b'), open('c')];
    clock.nowMs = 5;
    const connection = connections.of(first.peer);
    if (connection) connections.answering(connection, new Response());
    expect(open('d').isIn).toBe(true);
    expect([first.socket.isDestroyed, second?.socket.isDestroyed]).toEqual([false, true]);
  });

  test('takes no place of one that waits for an answer, until it has it', async () => {
    const { open, ask } = connectionsOf(1, 1);
    const busy = open();
    const answer = ask(busy.peer);
    const refused = open('b');
    expect([refused.isIn, refused.socket.isDestroyed, busy.socket.isDestroyed]).toEqual([false, true, false]);
    await answer();
    expect(open('b').isIn).toBe(true);
    expect(busy.socket.isDestroyed).toBe(true);
  });

  test('of an address that has too many takes a place of its own address', () => {
    const { open } = connectionsOf(10, 2);
    const other = open('b');
    const [mine] = [open(), open()];
    expect(open().isIn).toBe(true);
    expect([other.socket.isDestroyed, mine?.socket.isDestroyed]).toEqual([false, true]);
  });

  test('of a trusted proxy is bounded with all others only', () => {
    const { open, connections } = connectionsOf(5, 1);
    for (let again = 0; again < 5; again++) expect(open(PROXY).isIn).toBe(true);
    expect(connections.counts).toEqual({ open: 5, displaced: 0, refused: 0 });
  });

  test('finds one that waits for nothing among thousands that do', () => {
    const { open, ask } = connectionsOf(2_000, 2_000);
    for (let index = 0; index < 1_999; index++) ask(open().peer);
    const silent = open();
    let refused = 0;
    while (!silent.socket.isDestroyed) {
      if (open('b').isIn) break;
      refused += 1;
    }
    expect(silent.socket.isDestroyed).toBe(true);
    expect(refused).toBeLessThan(2_000 / 16);
  });
});

test('being crowded is told once a minute', () => {
  const { open, told, clock } = connectionsOf(1, 1);
  for (let second = 0; second < 120; second++) {
    clock.nowMs = second * 1_000;
    open();
    open();
  }
  expect(told).toHaveLength(2);
});

test('whatever comes and goes, the bounds hold, nobody who waits is ended, and nothing is left in the end', async () => {
  const step = fc.record({
    what: fc.constantFrom('open', 'open', 'open', 'close', 'ask', 'answer'),
    address: fc.constantFrom('a', 'b', 'c', PROXY),
    pick: fc.nat(1_000),
    pauseMs: fc.nat(50),
  });
  const bound = fc.integer({ min: 1, max: 8 });
  await fc.assert(
    fc.asyncProperty(bound, bound, fc.array(step, { maxLength: 120 }), async (inAll, perUnit, steps) => {
      const { connections, clock, open, ask } = connectionsOf(inAll, perUnit);
      let alive: { socket: FakeSocket; peer: Peer; answers: (() => Promise<void>)[] }[] = [];
      for (const { what, address, pick, pauseMs } of steps) {
        clock.nowMs += pauseMs;
        const chosen = alive[pick % (alive.length || 1)];
        if (what === 'open') {
          const everybodyWaits = alive.every(({ answers }) => answers.length > 0);
          const { socket, peer, isIn } = open(address);
          if (!isIn) {
            const alike = alive.filter((one) => one.peer.address === address);
            const own = address !== PROXY && alike.length === perUnit;
            expect(own ? alike.every(({ answers }) => answers.length > 0) : everybodyWaits).toBe(true);
          } else alive.push({ socket, peer, answers: [] });
        } else if (what === 'close' && chosen) {
          connections.forget(chosen.peer);
          chosen.socket.destroy();
        } else if (what === 'ask' && chosen) chosen.answers.push(ask(chosen.peer));
        else if (what === 'answer') await chosen?.answers.pop()?.();

        const ended = alive.filter(({ socket }) => socket.isDestroyed);
        if (what !== 'close') for (const { answers } of ended) expect(answers).toEqual([]);
        alive = alive.filter(({ socket }) => !socket.isDestroyed);
        expect(connections.counts.open).toBe(alive.length);
        expect(alive.length).toBeLessThanOrEqual(inAll);
        for (const unit of ['a', 'b', 'c'])
          expect(alive.filter(({ peer }) => peer.address === unit).length).toBeLessThanOrEqual(perUnit);
        for (const { peer } of alive) expect(connections.of(peer)?.peer).toBe(peer);
      }
      for (const { peer } of alive) connections.forget(peer);
      expect(connections.counts.open).toBe(0);
    }),
  );
});
