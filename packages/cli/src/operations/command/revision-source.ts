import { methodOf, pathOf, type Operation } from '@wbs/contract/operation'

/** Where the revision that a change expects can be read. */
export interface RevisionSource {
  /** The parameter of the change. */
  parameter: string
  /** The operation that shows it. */
  read: Operation
  /** The field of its answer. */
  field: string
}

const fields: Readonly<Record<string, { field: string; tag: 'r' | 'v' }>> = {
  expected_revision: { field: 'revision', tag: 'r' },
  expected_version: { field: 'version', tag: 'v' },
}

/** The operation that reads what the path of a change names, with its revision. Null if the change expects none. */
export function revisionSource(op: Operation, all: readonly Operation[]): RevisionSource | null {
  for (const [parameter, { field, tag }] of Object.entries(fields)) {
    if (!(parameter in op.input)) continue
    const candidates = all.filter(
      other =>
        methodOf(other) === 'GET' &&
        other.tagged === tag &&
        (pathOf(op) === pathOf(other) || pathOf(op).startsWith(`${pathOf(other)}/`)),
    )
    const [read] = candidates.toSorted((a, b) => pathOf(b).length - pathOf(a).length)
    if (read) return { parameter, read, field }
  }
  return null
}
