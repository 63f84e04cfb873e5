import { binary, type Env } from './service.ts';

/** Runs a command on a terminal, and answers its question, if any. */
export async function onTerminal(env: Env, words: readonly string[], answer: string) {
  let [shown, isAnswered] = ['', false];
  const child = Bun.spawn([await binary(), ...words], {
    env,
    terminal: {
      data(terminal, bytes) {
        shown += new TextDecoder().decode(bytes);
        if (isAnswered || !shown.includes('[y/N] ')) return;
        isAnswered = true;
        terminal.write(answer);
      },
    },
  });
  return { exitCode: await child.exited, shown, isAnswered };
}
