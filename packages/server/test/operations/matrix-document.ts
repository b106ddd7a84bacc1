import { callers } from './callers.ts'
import { placesOf, rowOf } from './matrix.ts'
import { operations } from './samples.ts'

const introduction = `# Authorization matrix

The status with which each operation answers each caller. A test sends every request of this table
(\`packages/server/test/operations/every-operation.ts\`). \`npm run generate\` writes this file. A row is derived from the
declaration of the operation (audience, scope), from the permissions of the roles (\`roles.ts\`) and from the exceptions in
the sample of the operation.

| Caller | Meaning |
|---|---|
| nobody | sends no credential |
| bad | sends a credential that must be refused |
| both | sends an access token and an API key at once |
| anonymous | an anonymous person |
| outsider | a person who does not belong to the Workspace |
| removed | a person who was removed from the Workspace |
| viewer, member, admin, owner | a person with this role in the Workspace |
| key | an API key of the owner with every scope |
| weak_key | an API key of the owner without a scope |
| foreign_key | an API key of another Workspace |

A request names resources of the owner, which the sample of the operation creates. An operation that may name a Workspace
has a second row, for a request that names the Workspace of the owner; one that visitors may call has a second row for a
request that names none.
`

/** docs/api/authorization-matrix.md */
export function matrixDocument(): string {
  const rows = operations.flatMap(operation =>
    placesOf(operation).map(place => {
      const row = rowOf(operation, place)
      const name = place === 'as declared' ? operation.name : `${operation.name}, ${place}`
      return [name, ...callers.map(caller => String(row[caller]))]
    }),
  )
  const head = [['Operation', ...callers], ['', ...callers].map(() => '---')]
  const lines = [...head, ...rows].map(cells => `| ${cells.join(' | ')} |`)
  return `${introduction}\n${lines.join('\n')}\n`
}
