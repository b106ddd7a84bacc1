import { inputParts, takesBody } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import { validatorOf } from '@wbs/server/call/input/validate'
import type { OperationCommand } from '../command/operation-command.ts'
import type { Mistake } from './usage-error.ts'

/** The mistakes that the service would find in an input, each with the flag or argument that it is of. */
export function checkInput(command: OperationCommand, input: Readonly<Record<string, unknown>>): Mistake[] {
  const { op } = command
  const inPath = inputParts(op).path
  const path: Record<string, string> = {}
  const rest: [string, unknown][] = []
  const notText: Mistake[] = []
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(inPath, name)) rest.push([name, value])
    else if (typeof value === 'string') path[name] = value
    else notText.push({ where: `<${name}>`, detail: `${name} must be text.` })
  }
  const { errors } = validatorOf(op)({
    path,
    query: takesBody(op) ? new Map() : new Map(rest.filter(([, value]) => value !== null).map(queryTexts)),
    body: takesBody(op) ? Object.fromEntries(rest) : undefined,
  })
  return [...notText, ...errors.map(error => mistakeOf(command, error))]
}

const queryTexts = ([name, value]: [string, unknown]): [string, string[]] => [
  name,
  [Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value)],
]

/** An error of the service, at the flag or argument that it is about. */
export function mistakeOf(command: OperationCommand, error: InputError): Mistake {
  const { detail, suggestion, code } = error
  // Of a rule, it names what is missing, which the detail says already.
  const isMeant = code !== 'requires' && code !== 'required' && suggestion !== undefined
  const isRevision = code === 'required' && error.pointer.slice(1) === command.revision?.parameter
  return {
    where: placeOf(command, error),
    detail: isRevision ? `${detail} --latest takes the one of now.` : detail,
    ...(isMeant && { suggestion }),
  }
}

/** The headers that flags of every command set. */
const ofHeaders: Readonly<Record<string, string>> = {
  '/Idempotency-Key': '--idempotency-key',
  '/SVC-Workspace-Id': '--workspace',
  '/SVC-Claim-Token': '--claim-token',
}

function placeOf(command: OperationCommand, { in: place, pointer }: InputError): string {
  if (place === 'header') return ofHeaders[pointer] ?? pointer.slice(1)
  const [, name = '', ...inside] = pointer.split('/')
  if (command.arguments.some(argument => argument.name === name)) return `<${name}>`
  const flag = command.flags.find(flag => flag.name === name)?.flag
  if (flag === undefined) return name === '' ? 'the input' : name
  return `--${flag}${inside.length > 0 ? ` at /${inside.join('/')}` : ''}`
}
