import type { OperationCommand } from '../command/operation-command.ts'

const width = 96

/** The nouns for the help of `wbs`, by the chapter of the reference that they first occur in. */
export function nounsText(commands: readonly OperationCommand[]): string {
  const byTag = new Map<string, Set<string>>()
  const known = new Set<string>()
  for (const { op, group, verb } of commands) {
    const noun = group ?? verb
    if (known.has(noun)) continue
    known.add(noun)
    byTag.set(op.tag, (byTag.get(op.tag) ?? new Set()).add(noun))
  }
  const indent = Math.max(...[...byTag.keys()].map(tag => tag.length)) + 4
  const lines = [...byTag].flatMap(([tag, nouns]) =>
    wrapped([...nouns], width - indent).map(
      (line, at) => `  ${(at === 0 ? tag : '').padEnd(indent - 2)}${line}`,
    ),
  )
  return [
    '',
    'The operations of the service are wbs NOUN VERB, such as wbs rooms list. The nouns:',
    ...lines,
    '',
    'wbs NOUN --help shows its verbs, and wbs NOUN VERB --help what they take.',
    'wbs help exit-codes explains the exit codes.',
  ].join('\n')
}

function wrapped(words: readonly string[], columns: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && `${last}, ${word}`.length <= columns)
      lines[lines.length - 1] = `${last}, ${word}`
    else lines.push(word)
  }
  return lines.map((line, at) => (at < lines.length - 1 ? `${line},` : line))
}
