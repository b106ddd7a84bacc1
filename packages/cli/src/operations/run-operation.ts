import { answersBytesTo, isBytes, workspaceOf } from '@wbs/contract/operation'
import type { CallOptions, ClientSettings } from '@wbs/sdk'
import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { formatBytes, formatCount } from '../progress-line.ts'
import type { CommonFlags } from './command-flags.ts'
import { failureOf, failureText, NoAccess } from './failure.ts'
import { readInput, withWorkspace, type GivenInput } from './input/read-input.ts'
import { readLimit } from './input/read-limit.ts'
import { readOptions } from './input/read-options.ts'
import { UsageError } from './input/usage-error.ts'
import { needsNoCredential, workspaceParameter, type OperationCommand } from './command/operation-command.ts'
import { printAnswer, printItems } from './output/print-answer.ts'
import { notesOn } from './output/notes.ts'
import { methodsOf, type AnyMethod } from './sending/call.ts'
import { itemsOf } from './sending/items.ts'
import { saveContent } from './sending/save-content.ts'
import { watchFetch, type Sending } from './sending/watched-fetch.ts'
import { attemptLines } from './output/attempt-lines.ts'
import { write, type Surroundings } from './surroundings.ts'

/** What the command line of an operation gave. */
export type GivenCommand = Omit<GivenInput, 'input' | 'later'> & { common: CommonFlags }

/** Runs the command of an operation. Gives the exit code, and throws only what is a fault of this program. */
export async function runOperation(
  command: OperationCommand,
  given: GivenCommand,
  surroundings: Surroundings,
): Promise<number> {
  const { common } = given
  const { stderr } = surroundings
  const signal = surroundings.interruption()
  let idempotencyKey: string | undefined
  let sending: Sending | undefined
  let url: string | undefined
  try {
    refuseTerminal(command, common, surroundings)
    const input = await readInput(
      command,
      { ...given, input: common.input, later: laterOf(command, common) },
      surroundings,
    )
    const options = await readOptions(command, common, surroundings)
    idempotencyKey = options.idempotency_key
    const access = await accessFor(command, common, surroundings)
    url = access.base_url
    requireWorkspace(command, input, access)
    sending = watchFetch(access.fetch ?? fetch, attempt => {
      if (common.verbose) for (const line of attemptLines(attempt)) stderr.write(`${line}\n`, () => undefined)
    })
    const methods = methodsOf(access, sending)
    const whole = await withLatest(command, withWorkspace(command, input, access.workspace_id), common, {
      methods,
      options: { signal, ...(options.claim_token !== undefined && { claim_token: options.claim_token }) },
    })
    await callAndPrint(
      command,
      whole,
      { ...options, signal },
      { given, method: methods(command.op), surroundings },
    )
    return 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return 0 // who read it had enough
    const isUnknown = sending?.isUnknown() === true
    const isInterrupted = signal.aborted
    const failure = failureOf(error, { command, idempotencyKey, isUnknown, isInterrupted, url })
    await write(stderr, failureText(failure, common.json === true)).catch(() => undefined)
    return failure.exitCode
  }
}

/** Stand for values that are known once there is a connection, so that the rest can be checked before. */
const laterOf = ({ arguments: parameters, revision }: OperationCommand, { latest }: CommonFlags) => ({
  ...(parameters.some(({ name }) => name === workspaceParameter) && {
    [workspaceParameter]: '00000000-0000-4000-8000-000000000000',
  }),
  ...(latest && revision && { [revision.parameter]: 1 }),
})

/** Content may be anything, which a terminal would take for commands. */
function refuseTerminal({ op }: OperationCommand, { output }: CommonFlags, { stdout }: Surroundings): void {
  if (isBytes(op) && output === undefined && stdout.isTTY === true)
    throw new UsageError([
      {
        where: '--output',
        detail: 'Name a file for the content, or send standard output to a file or a program.',
      },
    ])
}

/** The path may name the Workspace too. */
function requireWorkspace({ op }: OperationCommand, input: object, { workspace_id }: ClientSettings): void {
  if (workspaceOf(op) !== 'required' || workspace_id !== undefined || workspaceParameter in input) return
  throw new UsageError([
    {
      where: '--workspace',
      detail:
        'Name the Workspace by --workspace or WBS_WORKSPACE, or choose one with wbs login. wbs workspaces list shows yours, and wbs me rooms the Rooms to which you were invited with theirs.',
    },
  ])
}

async function accessFor(
  { op }: OperationCommand,
  { profile, url, workspace }: CommonFlags,
  surroundings: Surroundings,
): Promise<ClientSettings> {
  const flags = {
    ...(profile !== undefined && { profile }),
    ...(url !== undefined && { url }),
    ...(workspace !== undefined && { workspace }),
  }
  try {
    return withNoAccess(await surroundings.access(flags))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const isNamed = profile !== undefined || Boolean(surroundings.env['WBS_PROFILE'])
    if (!needsNoCredential(op) || isNamed) throw new NoAccess(error.message)
    return { base_url: surroundings.url(flags) }
  }
}

/** A session that cannot be renewed is no access either. */
function withNoAccess(access: ClientSettings): ClientSettings {
  const { access_token } = access
  if (typeof access_token !== 'function') return access
  return {
    ...access,
    async access_token() {
      try {
        return await access_token()
      } catch (error) {
        throw error instanceof CommandError ? new NoAccess(error.message) : error
      }
    },
  }
}

/** With --latest, the revision that the resource has now. */
async function withLatest(
  { revision, arguments: parameters }: OperationCommand,
  input: Record<string, unknown>,
  { latest }: CommonFlags,
  { methods, options }: { methods: ReturnType<typeof methodsOf>; options: CallOptions },
): Promise<Record<string, unknown>> {
  if (!latest || !revision || revision.parameter in input) return input
  const { read, field, parameter } = revision
  const named = parameters.map(({ name }) => name).filter(name => name in read.input)
  const answer = await methods(read)(Object.fromEntries(named.map(name => [name, input[name]])), options)
  return { ...input, [parameter]: findField(answer, field) }
}

/** The revision stands in the resource, or beside it. */
function findField(answer: unknown, field: string): unknown {
  const members = Object.values(answer as Record<string, unknown>)
  const places = [answer, ...members].filter(place => typeof place === 'object' && place !== null)
  return places.map(place => (place as Record<string, unknown>)[field]).find(value => value !== undefined)
}

interface Calling {
  given: GivenCommand
  method: AnyMethod
  surroundings: Surroundings
}

async function callAndPrint(
  command: OperationCommand,
  input: Record<string, unknown>,
  options: CallOptions,
  { given: { common }, method, surroundings }: Calling,
): Promise<void> {
  const { op, list } = command
  const { fields } = input
  const printing = {
    json: common.json === true,
    ...(list && Array.isArray(fields) && { fields: fields as string[] }),
  }
  const limit = list ? readLimit(common) : undefined
  if (list && limit && limit.isSeveralPages)
    return printItems(command, itemsOf(method, input, options, limit.most), printing, surroundings)
  const whole = limit?.most === undefined ? input : { ...input, limit: limit.most }
  const answer = await method(whole, options)
  const tell = async (notes: readonly string[]) => {
    if (!common.quiet) for (const note of notes) await write(surroundings.stderr, `${oneLine(note)}\n`)
  }
  if (answersBytesTo(op, input)) {
    const bytes = await saveContent(
      answer as Response,
      { output: common.output, force: common.force === true },
      surroundings,
    )
    const isFile = common.output !== undefined && common.output !== '-'
    return tell(
      isFile ? [`${formatCount(bytes)} bytes (${formatBytes(bytes)}) saved to ${common.output}.`] : [],
    )
  }
  await printAnswer(command, answer as Record<string, unknown>, printing, surroundings)
  await tell(notesOn(command, answer as Record<string, unknown>, surroundings))
}
