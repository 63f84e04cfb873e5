import { type CommandShape, ledOn, type Word } from './shapes.ts';

/** A script for zsh, which completes commands and options with what they do, and names of files where a value is expected. */
export function zshCompletion(shapes: readonly CommandShape[]): string {
  const { deeper, valued, chosen } = ledOn(shapes);
  const commands = shapes.map(
    ({ path, subcommands, values, options: own }) => `    '${path}')
      commands=(${[...subcommands, ...values].map(described).join(' ')})
      options=(${own.map(described).join(' ')}) ;;`,
  );
  return `#compdef redoubt
# Completion of redoubt for zsh: redoubt completion zsh > /usr/local/share/zsh/site-functions/_redoubt
_redoubt() {
  local at=2 place=redoubt
  local -a commands options choices
  while ((at < CURRENT)); do
    case "$place $words[at]" in
      ${deeper.join(' | ').replaceAll("'", '"')}) place+=" $words[at]" ;;
      ${valued.map(({ path, word }) => `"${path} ${word}"`).join(' | ')}) ((at++)) ;;
    esac
    ((at++))
  done
  if ((at > CURRENT)); then
    case "$place $words[CURRENT-1]" in
${chosen.map(({ path, word, choices }) => `      '${path} ${word}') choices=(${choices.join(' ')}) ;;`).join('\n')}
    esac
    if (($#choices)); then compadd -a choices; else _files; fi
    return
  fi
  case "$place" in
${commands.join('\n')}
  esac
  if (($#commands)); then _describe -t commands command commands; else _files; fi
  [[ $PREFIX == -* ]] && _describe -o -t options option options
}
# Loaded by compinit, this file is the function; read by hand, it makes it known.
if [[ $funcstack[1] == _redoubt ]]; then _redoubt "$@"; else compdef _redoubt redoubt; fi
`;
}

const described = ({ word, description }: Word): string =>
  `'${`${word}:${description}`.replaceAll("'", "'\\''")}'`;
