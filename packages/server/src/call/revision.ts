import type { Refuse } from './problem.ts'

/** Throws revision_conflict unless a thing is as its caller read it. `changed_fields`: what the caller would have changed, or what was changed since. */
export function requireRevision(
  { revision }: { revision: number },
  expected: number,
  changed_fields: string[],
  refuse: Pick<Refuse<'revision_conflict'>, 'revision_conflict'>,
): void {
  if (revision !== expected)
    throw refuse.revision_conflict(
      'The resource has changed since you read it. Read it again, then repeat your change.',
      {
        expected,
        current: revision,
        changed_fields,
      },
    )
}
