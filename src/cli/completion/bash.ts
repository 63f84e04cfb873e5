import { type CommandShape, ledOn } from './shapes.ts';

/** A script for bash, which completes commands and options, and names of files where a value is expected. */
export function bashCompletion(shapes: readonly CommandShape[]): string {
  const { deeper, valued, chosen } = ledOn(shapes);
  const words = shapes.map(
    ({ path, subcommands, values, options: own }) =>
      `    '${path}') words='${[...subcommands, ...values, ...own].map(({ word }) => word).join(' ')}' ;;`,
  );
  return `# Completion of redoubt for bash: redoubt completion bash > /etc/bash_completion.d/redoubt
_redoubt() {
  local at=1 path=redoubt word words=
  while ((at < COMP_CWORD)); do
    word=\${COMP_WORDS[at]}
    case "$path $word" in
      ${deeper.join(' | ')}) path+=" $word" ;;
      ${valued.map(({ path, word }) => `'${path} ${word}'`).join(' | ')}) ((at++)) ;;
    esac
    ((at++))
  done
  word=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  if ((at > COMP_CWORD)); then
    case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
${chosen.map(({ path, word, choices }) => `      '${path} ${word}') words='${choices.join(' ')}' ;;`).join('\n')}
    esac
  else
    case "$path" in
${words.join('\n')}
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _redoubt redoubt
`;
}
