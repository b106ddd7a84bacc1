import type { Refuse } from './problem.ts'

/**
 * Throws revision_conflict unless the resource has the revision that its caller read. `changed_fields`: the fields that
 * the caller would have changed, or those that changed since.
 */
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
