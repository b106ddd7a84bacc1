import { implement } from '../../src/call/implement.ts'
import { read, write, type Reader } from '../../src/database/statement.ts'
import { found, look, lookAnywhere, rename } from './operations.ts'

// Compiled, never run: a line below a @ts-expect-error must not compile, or the type check fails.

const reading = read<{ name: string }>('types_reading', 'select name from users')
const writing = write<{ name: string }>('types_writing', 'delete from users returning name')
const done = { result: { name: 'x', count: 1 }, resource: { type: 'room', id: '1' } as const, events: [] }

declare const reader: Reader
await reader.one(reading, {})
await reader.many(reading, {})

// @ts-expect-error -- a reader is given a statement that writes
await reader.one(writing, {})

// @ts-expect-error -- the same for many rows
await reader.many(writing, {})

implement(look, async ({ at }, { read, refuse, standing, caller }) => {
  await read.one(reading, { at, workspace_id: standing.workspace_id, user_id: caller.user_id })

  // @ts-expect-error -- the reader of a query is given a statement that writes
  await read.one(writing, {})

  // @ts-expect-error -- it refuses with a problem that it does not declare
  throw at ? refuse.state_conflict('x', { current_status: 'x' }) : refuse.not_found('x')
})

// @ts-expect-error -- a query has no transaction
implement(look, async (_input, { tx }) => tx)

// @ts-expect-error -- a parameter is not declared
implement(look, async ({ name }) => ({ result: { name } }))

implement(look, async ({ at }) => {
  // @ts-expect-error -- a parameter may be missing
  return { result: { name: at.trim() } }
})

implement(rename, async ({ name }, { tx, refuse, standing }) => {
  await tx.run(writing, { name, workspace_id: standing.workspace_id })
  await tx.one(reading, {})

  // @ts-expect-error -- a read of a transaction is given a statement that writes
  await tx.one(writing, {})

  // @ts-expect-error -- a problem has members of another kind
  if (name === 'x') throw refuse.not_found('x', { errors: 1 }, 'more')
  return done
})

// @ts-expect-error -- a mutation has no reader
implement(rename, async (_input, { read }) => read)

implement(found, async (_input, { standing, caller }) => {
  const signedIn: false = caller.is_anonymous
  // @ts-expect-error -- there is no standing outside a Workspace
  return { ...done, workspace_id: standing.workspace_id, signedIn }
})

implement(lookAnywhere, async (_input, { standing, caller }) => {
  const name = standing?.workspace_id ?? caller?.user_id ?? 'x'
  // @ts-expect-error -- the audience `anyone` includes callers without a credential
  return { result: { name: name + caller.user_id } }
})
