import { wordsOf, type OperationCommand } from '../command/operation-command.ts'
import type { Surroundings } from '../surroundings.ts'

type Answer = Readonly<Record<string, unknown>>

/** What is told on standard error beside an answer: that it is a replay, that there is more, that a secret is shown once. */
export function notesOn(
  command: OperationCommand,
  answer: Answer,
  { stdout, stderr }: Surroundings,
): string[] {
  const { op, list } = command
  if (op.kind === 'mutation') {
    if (answer['idempotent_replay'] === true)
      return [
        'This is the answer to an earlier request with the same Idempotency-Key. Nothing was changed now.',
        ...secretsOf(command).map(name => `${name} was shown in the first answer only.`),
      ]
    return [
      ...(stderr.isTTY ? [doneLine(command, answer)] : []),
      ...secretsOf(command).map(name => `${name} is shown this once. Keep it where others cannot read it.`),
    ]
  }
  return list?.next && hasMore(answer) && stdout.isTTY === true && stderr.isTTY === true
    ? ['There are more: --limit N shows more of them, and --all shows all.']
    : []
}

/** The secrets of an answer, which no later one has. */
const secretsOf = ({ op }: OperationCommand): readonly string[] =>
  (op.kind === 'mutation' && op.secrets) || []

function doneLine(command: OperationCommand, answer: Answer): string {
  const receipt = (answer['receipt'] ?? answer['action_receipt']) as
    | { changed?: readonly string[] }
    | undefined
  const changed = receipt?.changed ?? []
  return `Done: wbs ${wordsOf(command)}${changed.length > 0 ? ` (changed: ${changed.join(', ')})` : ''}`
}

function hasMore(answer: Answer): boolean {
  const page = answer['page'] as { has_more?: boolean } | undefined
  return (page?.has_more ?? answer['has_more']) === true
}
