import type { Command, Option } from 'commander';

/** A word that may stand behind a command, with what it does. */
export interface Word {
  readonly word: string;
  readonly description: string;
}

/** What shells need to know of a command. */
export interface CommandShape {
  /** From the program's name on, parted by blanks. */
  readonly path: string;
  readonly subcommands: readonly Word[];
  /** Of its arguments, where there are only some. */
  readonly values: readonly Word[];
  readonly options: readonly (Word & {
    readonly takesValue: boolean;
    /** The values that there are; none = any, which may name a file. */
    readonly choices: readonly string[];
  })[];
}

/** A program and all of its commands, each before its subcommands. */
export function shapesOf(command: Command, path = command.name()): CommandShape[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const options = help.visibleOptions(command).flatMap((option) =>
    wordsOf(option).map((word) => ({
      word,
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
  );
  const values = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, description })),
  );
  const known = { path, subcommands: subcommands.map(asWord), values, options };
  const below = command.commands.filter((child) => subcommands.includes(child));
  return [known, ...below.flatMap((child) => shapesOf(child, `${path} ${child.name()}`))];
}

const asWord = (command: Command): Word => ({ word: command.name(), description: command.description() });

const wordsOf = ({ long, short }: Option): string[] => [long, short].filter((word) => word !== undefined);

/** The rest of the typed words: a subcommand, in quotes after its command; an option's value; one of an option's choices. */
export function ledOn(shapes: readonly CommandShape[]) {
  const deeper = shapes.flatMap(({ path, subcommands }) =>
    subcommands.map(({ word }) => `'${path} ${word}'`),
  );
  const options = shapes.flatMap(({ path, options: own }) => own.map((option) => ({ ...option, path })));
  const valued = options.filter(({ takesValue }) => takesValue);
  return { deeper, valued, chosen: valued.filter(({ choices }) => choices.length > 0) };
}
