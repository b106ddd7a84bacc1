import { entriesTo, flagsByValue, type Place, type Value, type Word } from './command-tree.ts'
import { quoted } from './quoted.ts'

/** The completion of zsh, to be sourced or to be a file _wbs of a folder of fpath. */
export function zshScript(places: readonly Place[]): string {
  return `#compdef wbs
# Completion of wbs for zsh. Written by: wbs completion zsh
_wbs() {
  local place='' files='' at
  local -a known flags
  for ((at = 2; at < CURRENT; at++)); do
    case "$place $words[at]" in
${places
  .filter(({ path }) => path !== '')
  .map(enterLine)
  .join('\n')}
    esac
  done
  case "$place $words[CURRENT-1]" in
${places.flatMap(valueLines).join('\n')}
  esac
  case "$place" in
${places.map(placeLine).join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe -o flag flags
    return
  fi
  (( $#known )) && _describe command known
  [[ -n "$files" ]] && _files
}
if [[ "$funcstack[1]" == _wbs ]]; then _wbs "$@"; else compdef _wbs wbs; fi
`
}

const enterLine = (place: Place): string =>
  `      (${entriesTo(place).map(quoted).join('|')}) place=${quoted(place.path)} ;;`

const valueLines = (place: Place): string[] =>
  flagsByValue(place).map(
    ({ after, value }) => `    (${after.map(quoted).join('|')}) ${offer(value)}; return ;;`,
  )

const offer = (value: Value): string =>
  value === 'file' ? '_files' : value === 'unknown' ? ':' : `compadd -- ${value.words.map(quoted).join(' ')}`

function placeLine({ path, commands, flags, arguments: values }: Place): string {
  const words = values.flatMap(value => (typeof value === 'object' ? value.words : []))
  const known = [...commands, ...words.map(word => ({ word, about: '' }))]
  const files = values.includes('file') ? ' files=1;' : ''
  return `    (${quoted(path)})${files} known=(${known.map(described).join(' ')}); flags=(${flags.map(described).join(' ')}) ;;`
}

const described = ({ word, about }: Word): string =>
  quoted(`${word.replaceAll(':', '\\:')}${about === '' ? '' : `:${about}`}`)
