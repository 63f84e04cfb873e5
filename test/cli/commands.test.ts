import { expect, test } from 'bun:test';
import { Command } from 'commander';
import { COMMANDS, type ProgramParts } from '../../src/cli/commands.ts';
import { program } from '../../src/cli/program.ts';

const parts: ProgramParts = {
  runtimeName: '',
  serve: () => Promise.reject(),
  describeApi: () => Promise.reject(),
};

const all = await program(parts);

test('every command is listed by its name, in the order of the help', () => {
  expect(all.commands.map((command) => command.name())).toEqual(Object.keys(COMMANDS));
});

test.each(Object.keys(COMMANDS))('%s is the same alone as among all commands', async (name) => {
  const alone = (await program(parts, name)).commands.find((command) => command.name() === name);
  const amongAll = all.commands.find((command) => command.name() === name);
  expect(alone?.helpInformation()).toBe(amongAll?.helpInformation() ?? '');
});

test.each([undefined, 'nonsense', '--help', 'help', 'completion', 'toString'])(
  'all commands are available to %p',
  async (word) => {
    expect((await program(parts, word)).commands.length).toBe(all.commands.length);
  },
);

test('a command with the name of another one is refused', () => {
  expect(() => all.addCommand(new Command('license'))).toThrow(
    "cannot add command 'license' as already have command 'license'",
  );
});
