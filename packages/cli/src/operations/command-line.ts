import { Option, type Command } from 'commander'
import { accessOptions } from '../access-flags.ts'
import type { CommonFlags } from './command-flags.ts'
import type { Parameter } from './command/parameters.ts'
import { orList } from './input/read-value.ts'
import type { OperationCommand } from './command/operation-command.ts'
import type { GivenCommand } from './run-operation.ts'

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text]

const commonHeading = 'Flags of every command:'

const inputFlags = [
  new Option('--input <file>', 'the parameters as a JSON object; - is standard input. Flags win over it'),
]
const changeFlags = [
  new Option('--idempotency-key <key>', 'repeats a change without doing it twice (default: a new key)'),
]
const pageFlags = [
  new Option('--limit <number>', 'how many items to show at most (default: 20)'),
  new Option('--all', 'show all items, of all pages'),
]
const contentFlags = [
  new Option('--output <file>', 'where content goes; - is standard output'),
  new Option('--force', 'replace the file if it exists'),
]
const visitorFlags = [
  new Option('--claim-token <token>', 'without an account: the claim token (default: WBS_CLAIM_TOKEN)'),
  new Option('--claim-token-file <file>', 'a file with it; - is standard input').hideHelp(),
]
const commonFlags = [
  new Option('--json', 'print the answer as JSON'),
  ...accessOptions(),
  new Option('--verbose', 'tell on standard error what is sent: request IDs, rate limits, retries'),
  new Option('--quiet', 'tell nothing on standard error but errors'),
].map(option => option.helpGroup(commonHeading))

/** Adds the flags of an operation, and those that every command has. */
export function addFlags(verb: Command, command: OperationCommand): void {
  const { op, flags, list, mayAnswerContent, revision } = command
  for (const parameter of flags) for (const option of optionsOf(parameter)) verb.addOption(option)
  const added = [
    ...(revision
      ? [new Option('--latest', `expect the ${revision.field} that it has now, whatever you read before`)]
      : []),
    ...(list?.next ? pageFlags : []),
    ...(mayAnswerContent ? contentFlags : []),
    ...(op.visitors ? visitorFlags : []),
    ...(op.kind === 'mutation' ? changeFlags : []),
    ...(Object.keys(op.input).length > 0 ? inputFlags : []),
    ...commonFlags,
  ]
  for (const option of added) verb.addOption(option)
}

function optionsOf(parameter: Parameter): Option[] {
  const { flag, kind, mayBeFile } = parameter
  const text = descriptionOf(parameter)
  if (kind === 'boolean') return [new Option(`--${flag}`, text), new Option(`--no-${flag}`).hideHelp()]
  const option = new Option(`--${flag} <${placeholderOf(parameter)}>`, text).argParser(collect)
  const choices = choicesOf(parameter)
  // For completion in a shell. A wrong value is told with all other mistakes.
  if (choices) option.argChoices = choices
  return [option, ...(mayBeFile ? [new Option(`--${flag}-file <file>`).hideHelp()] : [])]
}

const choicesOf = ({ schema, items }: Parameter): string[] | undefined =>
  (items?.schema ?? schema).enum?.filter(value => typeof value === 'string')

function placeholderOf({ kind, schema, items }: Parameter): string {
  if (kind === 'list') return items?.kind === 'integer' ? 'numbers' : 'list'
  if (kind === 'integer' || kind === 'number') return 'number'
  if (kind === 'json') return 'json'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'date-time') return 'time'
  return /^\^[a-z]+_\[/.test(schema.pattern ?? '') || schema.format === 'uuid' ? 'id' : 'text'
}

/** The first sentences of the interface, and what the schema allows. */
function descriptionOf(parameter: Parameter): string {
  const { schema, items, isRequired, isNullable, kind, flag } = parameter
  const choices = choicesOf(parameter)
  return [
    isRequired ? 'Required.' : '',
    schema.description ?? items?.schema.description ?? '',
    choices ? `One of ${orList(choices)}.` : '',
    kind === 'boolean' ? `--no-${flag} for false.` : '',
    isNullable ? 'null for none.' : '',
  ]
    .filter(Boolean)
    .join(' ')
}

const commonNames = [
  ...inputFlags,
  ...changeFlags,
  ...pageFlags,
  ...contentFlags,
  ...visitorFlags,
  ...commonFlags,
]
  .map(option => option.attributeName())
  .concat('latest')

/** What the command line gave for an operation. */
export function givenBy(verb: Command, { flags }: OperationCommand): GivenCommand {
  const values = verb.opts<Record<string, unknown>>()
  const given = new Map<string, readonly string[] | boolean>()
  const files = new Map<string, string>()
  for (const { name, flag } of flags) {
    const value = values[attributeOf(flag)]
    const file = values[attributeOf(`${flag}-file`)]
    if (value !== undefined) given.set(name, value as readonly string[] | boolean)
    if (file !== undefined) files.set(name, file as string)
  }
  const own = new Set(flags.map(({ flag }) => attributeOf(flag)))
  const common = Object.fromEntries(
    commonNames.filter(name => !own.has(name) && name in values).map(name => [name, values[name]]),
  ) as CommonFlags
  return { arguments: verb.args, flags: given, files, common }
}

const attributeOf = (flag: string): string =>
  flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
