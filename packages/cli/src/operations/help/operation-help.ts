import { scopesOf, type Operation } from '@wbs/contract/operation'
import { needsNoCredential, takesWorkspace, type OperationCommand } from '../command/operation-command.ts'
import { exampleLine } from './example-line.ts'

/** What the help of a command has below its flags. */
export function operationHelp(command: OperationCommand): string {
  const { op, flags } = command
  const files = flags.filter(({ mayBeFile }) => mayBeFile).map(({ flag }) => `--${flag}-file`)
  return [
    ...(files.length > 0 ? ['', `From a file, or from standard input with -: ${files.join(', ')}`] : []),
    '',
    'Example:',
    `  ${exampleLine(command)}`,
    '',
    `Operation: ${op.name}, ${op.http}`,
    `Caller: ${callerOf(op)}`,
    'Exit codes: wbs help exit-codes',
  ].join('\n')
}

function callerOf(op: Operation): string {
  const scopes = scopesOf(op)
  if (needsNoCredential(op))
    return `anybody${scopes.length > 0 ? `; in a Workspace with the permission ${scopes.join(', ')}` : ''}`
  if (takesWorkspace(op) && scopes.length > 0)
    return `in a Workspace, with the permission ${scopes.join(', ')}`
  if (op.audience === 'signed_in' || op.audience === 'user') return 'a person with an access token'
  return 'an access token or an API key'
}

/** The description at the top of the help of a command. */
export const descriptionOf = ({ op }: OperationCommand): string =>
  [op.summary, op.description, ...(op.rules ?? []).map(ruleText)].filter(Boolean).join('\n\n')

function ruleText(rule: NonNullable<Operation['rules']>[number]): string {
  const flag = (name: string) => `--${name.replaceAll('_', '-')}`
  if (rule.rule === 'exclusive') return `Give only one of ${rule.fields.map(flag).join(' and ')}.`
  return rule.rule === 'requires'
    ? `${flag(rule.field)} requires ${flag(rule.needs)}.`
    : `Give at least one of ${rule.fields.map(flag).join(', ')}.`
}
