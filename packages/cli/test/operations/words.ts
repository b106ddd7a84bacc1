import { splitsAtCommas } from '../../src/operations/input/read-value.ts'
import type { Parameter } from '../../src/operations/command/parameters.ts'
import { wordsOf, type OperationCommand } from '../../src/operations/command/operation-command.ts'

/** The command line that calls an operation with an input: arguments and flags alone. */
export function wordsFor(command: OperationCommand, input: Readonly<Record<string, unknown>>): string[] {
  const named = command.arguments.filter(({ name }) => input[name] !== undefined)
  return [
    ...wordsOf(command).split(' '),
    ...named.map(({ name }) => input[name] as string),
    ...(input['limit'] === undefined || !command.list ? [] : ['--limit', textOf(input['limit'])]),
    ...command.flags.flatMap(flag =>
      input[flag.name] === undefined ? [] : flagWords(flag, input[flag.name]),
    ),
  ]
}

function flagWords({ flag, kind, schema }: Parameter, value: unknown): string[] {
  if (value === null) return [`--${flag}`, 'null']
  if (kind === 'boolean') return [value === true ? `--${flag}` : `--no-${flag}`]
  if (kind === 'json') return [`--${flag}`, JSON.stringify(value)]
  if (kind !== 'list') return [`--${flag}`, textOf(value)]
  const texts = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',')
  return splitsAtCommas(schema) ? [`--${flag}`, texts.join(',')] : texts.flatMap(text => [`--${flag}`, text])
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
