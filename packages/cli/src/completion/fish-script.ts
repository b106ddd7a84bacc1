import { entriesTo, flagsByValue, type Place, type Value, type Word } from './command-tree.ts'
import { fishQuoted } from './quoted.ts'

/** The completion of fish: one function that prints what can follow. */
export function fishScript(places: readonly Place[]): string {
  return `# Completion of wbs for fish. Written by: wbs completion fish
function __wbs_complete
  set -l words (commandline -opc)
  set -l place ''
  for word in $words[2..-1]
    switch "$place $word"
${places
  .filter(({ path }) => path !== '')
  .map(enterLines)
  .join('\n')}
    end
  end
  switch "$place $words[-1]"
${places.flatMap(valueLines).join('\n')}
  end
  switch "$place"
${places.map(placeLines).join('\n')}
  end
end
complete -c wbs -f -a '(__wbs_complete)'
`
}

const enterLines = (place: Place): string =>
  `      case ${entriesTo(place).map(fishQuoted).join(' ')}
        set place ${fishQuoted(place.path)}`

const valueLines = (place: Place): string[] =>
  flagsByValue(place).map(
    ({ after, value }) => `    case ${after.map(fishQuoted).join(' ')}
      ${offer(value)}
      return`,
  )

const offer = (value: Value): string =>
  value === 'file'
    ? '__fish_complete_path (commandline -ct)'
    : value === 'unknown'
      ? 'true'
      : lines(value.words.map(word => ({ word, about: '' })))

function placeLines({ path, commands, flags, arguments: values }: Place): string {
  const words = values.flatMap(value => (typeof value === 'object' ? value.words : []))
  const known = [...commands, ...words.map(word => ({ word, about: '' })), ...flags]
  const files = values.includes('file') ? '\n      __fish_complete_path (commandline -ct)' : ''
  return `    case ${fishQuoted(path)}
      ${lines(known)}${files}`
}

const lines = (words: readonly Word[]): string =>
  `printf '%s\\n' ${words.map(({ word, about }) => fishQuoted(about === '' ? word : `${word}\t${about}`)).join(' ')}`
