import { entriesTo, flagsByValue, type Place, type Value } from './command-tree.ts'
import { quoted } from './quoted.ts'

/** The completion of bash, from version 3.2 on, which macOS has. It needs no other package. */
export function bashScript(places: readonly Place[]): string {
  return `# Completion of wbs for bash. Written by: wbs completion bash
_wbs() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place='' at words='' files=''
  local IFS=$' \\t\\n'
  COMPREPLY=()
  # bash takes --flag=value for three words.
  if [[ "$current" == '=' ]]; then current=''; elif [[ "$previous" == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$place \${COMP_WORDS[at]}" in
${places
  .filter(({ path }) => path !== '')
  .map(enterLine)
  .join('\n')}
    esac
  done
  case "$place $previous" in
${places.flatMap(valueLines).join('\n')}
    *) case "$place" in
${places.map(placeLine).join('\n')}
    esac ;;
  esac
  IFS=$'\\n'
  if [[ -n "$files" && "$current" != -* ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "\${words// /$'\\n'}" -- "$current"))
  fi
}
complete -F _wbs wbs
`
}

const enterLine = (place: Place): string =>
  `      ${entriesTo(place).map(quoted).join('|')}) place=${quoted(place.path)} ;;`

const valueLines = (place: Place): string[] =>
  flagsByValue(place).map(({ after, value }) => `    ${after.map(quoted).join('|')}) ${offer(value)} ;;`)

function placeLine({ path, commands, flags, arguments: values }: Place): string {
  const flagWords = flags.map(({ word }) => word)
  if (commands.length > 0) {
    const words = commands.map(({ word }) => word).join(' ')
    return `    ${quoted(path)}) words=${quoted(words)}; [[ "$current" != -* ]] || words=${quoted(flagWords.join(' '))} ;;`
  }
  const known = values.flatMap(value => (typeof value === 'object' ? value.words : []))
  const files = values.includes('file') ? ' files=1;' : ''
  return `    ${quoted(path)})${files} words=${quoted([...known, ...flagWords].join(' '))} ;;`
}

const offer = (value: Value): string =>
  value === 'file' ? 'files=1' : value === 'unknown' ? ':' : `words=${quoted(value.words.join(' '))}`
