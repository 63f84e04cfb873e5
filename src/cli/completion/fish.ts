import type { CommandShape } from './shapes.ts';

/** A script for fish, which completes commands and options with what they do, and names of files where a value is expected. */
export function fishCompletion(shapes: readonly CommandShape[]): string {
  const deeper = shapes.flatMap(({ path, subcommands }) =>
    subcommands.map(({ word }) => quoted(`${path} ${word}`)),
  );
  const valued = shapes.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map(({ word }) => quoted(`${path} ${word}`)),
  );
  return `# Completion of redoubt for fish: redoubt completion fish > ~/.config/fish/completions/redoubt.fish
function __redoubt_is_at
    set -l place redoubt
    set -l is_value no
    for word in (commandline -opc)[2..]
        if test $is_value = yes
            set is_value no
            continue
        end
        switch "$place $word"
            case ${deeper.join(' ')}
                set place "$place $word"
            case ${valued.join(' ')}
                set is_value yes
        end
    end
    test "$place" = "$argv"
end
complete -c redoubt -n '__redoubt_is_at redoubt' -f
${shapes.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, subcommands, values, options }: CommandShape): string[] {
  const at = `complete -c redoubt -n ${quoted(`__redoubt_is_at ${path}`)}`;
  return [
    ...[...subcommands, ...values].map(
      ({ word, description }) => `${at} -f -a ${quoted(word)} -d ${quoted(description)}`,
    ),
    ...options.map(({ word, description, takesValue, choices }) => {
      const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
      const value = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
      return `${at} ${name}${value} -d ${quoted(description)}`;
    }),
  ];
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
