import { workspaceParameter, wordsOf, type OperationCommand } from '../command/operation-command.ts'
import type { Parameter } from '../command/parameters.ts'
import { splitsAtCommas } from '../input/read-value.ts'
import { exampleValue } from './example-value.ts'

/** The words of a command line that calls an operation: what it requires and, for an update, one change. */
export function exampleWords(command: OperationCommand): string[] {
  const { arguments: parameters, flags, op } = command
  const named = parameters.filter(({ name }) => name !== workspaceParameter)
  return [
    ...wordsOf(command).split(' '),
    ...named.map(parameter => String(exampleValue(parameter.schema))),
    ...exampleFlags(op, flags).flatMap(flagWords),
    ...(command.mayAnswerContent && !('format' in op.input) ? ['--output', 'plan.pdf'] : []),
  ]
}

/** The required flags, and those without which the rules of the operation refuse a request. */
function exampleFlags(
  { rules = [], kind, http }: OperationCommand['op'],
  flags: readonly Parameter[],
): readonly Parameter[] {
  const needed = new Set(flags.filter(flag => flag.isRequired).map(({ name }) => name))
  for (const rule of rules)
    if (rule.rule === 'some' && !rule.fields.some(name => needed.has(name)))
      needed.add(rule.fields[0] as string)
  for (const rule of rules) if (rule.rule === 'requires' && needed.has(rule.field)) needed.add(rule.needs)
  const isUpdate = kind === 'mutation' && http.startsWith('PATCH')
  const changed = flags.find(
    ({ name, kind: type }) => type === 'text' && !name.startsWith('expected_') && !needed.has(name),
  )
  if (isUpdate && rules.length === 0 && changed && [...needed].every(name => name.startsWith('expected_')))
    needed.add(changed.name)
  return flags.filter(({ name }) => needed.has(name))
}

function flagWords({ flag, kind, schema, isSecret }: Parameter): string[] {
  const value = exampleValue(schema)
  if (isSecret) return [`--${flag}-file`, '-']
  if (kind === 'boolean') return [value === false ? `--no-${flag}` : `--${flag}`]
  if (kind === 'json') return [`--${flag}`, JSON.stringify(value)]
  if (kind !== 'list') return [`--${flag}`, String(value)]
  const texts = (value as unknown[]).map(String)
  return splitsAtCommas(schema) ? [`--${flag}`, texts.join(',')] : texts.flatMap(text => [`--${flag}`, text])
}

/** The same as one line for a shell. */
export const exampleLine = (command: OperationCommand): string =>
  ['wbs', ...exampleWords(command).map(quoted)].join(' ')

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
