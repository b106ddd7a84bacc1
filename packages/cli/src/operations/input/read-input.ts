import { readFile } from 'node:fs/promises'
import { inexactNumber, inexactNumbers } from '@wbs/contract/json/exact-numbers'
import type { Operation } from '@wbs/contract/operation'
import { reasonOf } from '../../reason-of.ts'
import { workspaceParameter, type OperationCommand } from '../command/operation-command.ts'
import type { Surroundings } from '../surroundings.ts'
import { checkInput } from './check-input.ts'
import type { Parameter } from '../command/parameters.ts'
import { readValue, WrongValue } from './read-value.ts'
import { UsageError, type Mistake } from './usage-error.ts'

/** What the command line gave for the input of an operation. */
export interface GivenInput {
  /** In the order of the arguments of the command. */
  arguments: readonly string[]
  /** The texts of each flag, by the name of its parameter; true or false of a boolean. */
  flags: ReadonlyMap<string, readonly string[] | boolean>
  /** The file of each flag that `--FLAG-file` was used for. */
  files: ReadonlyMap<string, string>
  /** The file with the whole input; `-` is standard input. */
  input: string | undefined
  /** Values that the command finds out later, which stand for what is missing until then. */
  later: Readonly<Record<string, unknown>>
}

/**
 * The input of an operation: the JSON of --input, over which arguments and flags win. It is checked as the service checks it.
 * Throws UsageError with all mistakes.
 */
export async function readInput(
  command: OperationCommand,
  given: GivenInput,
  surroundings: Surroundings,
): Promise<Record<string, unknown>> {
  refuseTwoReadersOfStdin(given)
  const mistakes: Mistake[] = []
  const values = new Map(Object.entries(await readWhole(command.op, given.input, surroundings)))
  for (const [at, parameter] of command.arguments.entries()) {
    const text = given.arguments[at]
    if (text !== undefined) values.set(parameter.name, text)
  }
  for (const parameter of command.flags) {
    const place = `--${parameter.flag}`
    try {
      const value = await flagValue(parameter, given, surroundings)
      if (value !== undefined) values.set(parameter.name, value)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      mistakes.push({
        where: place,
        detail: error.message,
        ...(error.suggestion !== undefined && { suggestion: error.suggestion }),
      })
      values.set(parameter.name, null) // it was given, so that no rule misses it
    }
  }
  const input = Object.fromEntries(values)
  const wrong = new Set(mistakes.map(({ where }) => where))
  for (const mistake of checkInput(command, { ...given.later, ...input }))
    if (!wrong.has(mistake.where)) mistakes.push(mistake)
  if (mistakes.length > 0) throw new UsageError(mistakes)
  return input
}

/** Standard input can be read once. */
function refuseTwoReadersOfStdin({ input, files }: GivenInput): void {
  const readers = [
    ...(input === '-' ? ['--input'] : []),
    ...[...files].filter(([, file]) => file === '-').map(([name]) => `--${name.replaceAll('_', '-')}-file`),
  ]
  if (readers.length > 1)
    throw new UsageError([
      { where: readers[1] as string, detail: `${readers[0]} reads standard input already. Name a file.` },
    ])
}

async function readWhole(
  op: Operation,
  file: string | undefined,
  surroundings: Surroundings,
): Promise<Record<string, unknown>> {
  if (file === undefined) return {}
  const text = (await readContent('--input', file, surroundings)).toString('utf8')
  const value = parse(text)
  refuseInexactNumbers(text)
  if (value === null && op.kind === 'mutation' && op.null_body !== undefined) return { [op.null_body]: true }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new UsageError([
    { where: '--input', detail: 'It must be a JSON object with the parameters of the operation.' },
  ])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError([
      {
        where: '--input',
        detail: `It must be JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
      },
    ])
  }
}

function refuseInexactNumbers(json: string): void {
  const pointers = inexactNumbers(json, 20)
  if (pointers.length > 0)
    throw new UsageError(
      pointers.map(pointer => ({ where: `--input ${pointer}`.trim(), detail: inexactNumber })),
    )
}

/** The value of a flag, or of the file that it names; undefined if it was not given. */
async function flagValue(
  parameter: Parameter,
  { flags, files }: GivenInput,
  surroundings: Surroundings,
): Promise<unknown> {
  const file = files.get(parameter.name)
  const given = flags.get(parameter.name)
  if (file !== undefined) {
    const where = `--${parameter.flag}-file`
    if (given !== undefined)
      throw new UsageError([{ where, detail: `Give --${parameter.flag} or ${where}, not both.` }])
    const content = await readContent(where, file, surroundings)
    if (parameter.isBase64) return content.toString('base64')
    const text = content.toString('utf8')
    return readValue(parameter, [parameter.isSecret ? text.trim() : text])
  }
  return given === undefined || typeof given === 'boolean' ? given : readValue(parameter, given)
}

async function readContent(where: string, file: string, { stdin }: Surroundings): Promise<Buffer> {
  if (file !== '-')
    return readFile(file).catch((error: unknown) => {
      throw new UsageError([{ where, detail: `${file} cannot be read: ${reasonOf(error)}.` }])
    })
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

/** The Workspace of the path is that of the request, unless the argument names it. */
export const withWorkspace = (
  { arguments: parameters }: OperationCommand,
  input: Readonly<Record<string, unknown>>,
  workspace_id: string | undefined,
): Record<string, unknown> =>
  parameters.some(({ name }) => name === workspaceParameter) && workspace_id !== undefined
    ? { workspace_id, ...input }
    : { ...input }
