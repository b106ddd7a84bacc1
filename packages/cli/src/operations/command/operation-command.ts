import { isStream, mayAnswerBytes, workspaceOf, type Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { parametersOf, type Parameter } from './parameters.ts'
import { revisionSource, type RevisionSource } from './revision-source.ts'
import { commandNames } from './command-names.ts'
import { listShape, type ListShape } from './list-shape.ts'

/** The command of an operation. */
export interface OperationCommand {
  op: Operation
  group: string | null
  verb: string
  /** The parameters of the path, in order, but the Workspace last: it is known without being given. */
  arguments: readonly Parameter[]
  flags: readonly Parameter[]
  /** Of an operation that answers a list. */
  list: ListShape | null
  /** Whether it may answer with content, which goes to a file. */
  mayAnswerContent: boolean
  /** How --latest finds the revision, if the operation takes one. */
  revision: RevisionSource | null
}

/** The name of the parameter of the path that the Workspace of the caller stands for. */
export const workspaceParameter = 'workspace_id'

/** The command of every operation but the streams, in the order of the reference. */
export function operationCommands(): readonly OperationCommand[] {
  const all = operations as readonly Operation[]
  const names = commandNames(all)
  return all
    .filter(op => !isStream(op))
    .map(op => {
      const { inPath, flags } = parametersOf(op)
      const list = listShape(op)
      const isWorkspace = ({ name }: Parameter) => name === workspaceParameter
      const { group, verb } = names.get(op.name) as { group: string | null; verb: string }
      return {
        op,
        group,
        verb,
        arguments: [...inPath.filter(parameter => !isWorkspace(parameter)), ...inPath.filter(isWorkspace)],
        // Of a list that has pages, --limit counts the items of all of them.
        flags: list?.next ? flags.filter(({ name }) => name !== 'limit') : flags,
        list,
        mayAnswerContent: mayAnswerBytes(op),
        revision: revisionSource(op, all),
      }
    })
}

/** The words after `wbs`. */
export const wordsOf = ({ group, verb }: Pick<OperationCommand, 'group' | 'verb'>): string =>
  group === null ? verb : `${group} ${verb}`

/** Whether a caller without an account may call the operation. */
export const needsNoCredential = ({ audience, visitors }: Operation): boolean =>
  audience === 'public' || audience === 'anyone' || visitors === true

export const takesWorkspace = (op: Operation): boolean => workspaceOf(op) !== 'none'
