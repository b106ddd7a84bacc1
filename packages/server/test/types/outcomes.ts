import { implement } from '../../src/call/implement.ts'
import { found, look, lookTagged, rename, renameOne, renameSilently, renameTagged } from './operations.ts'

// Compiled, never run: a line below a @ts-expect-error must not compile, or the type check fails.

const resource = { type: 'room', id: '1' } as const
const event = { type: 'workspace.created', subject: { ...resource, name: null } } as const
const mail = {
  kind: 'mail_team_invitation',
  data: { workspace_id: 'x', invitation_id: 'x', token_number: 1 },
} as const
const good = { result: { name: 'x', count: 1 }, resource, events: [event] }
const visible = async () => {}

implement(rename, async () => good)
implement(renameTagged, async () => ({ ...good, revision: 1 }))
implement(renameOne, async () => good, { visible })
implement(renameSilently, async () => ({ ...good, events: [] }))
implement(found, async () => ({ result: { name: 'x' }, resource, events: [], workspace_id: 'x' }))
implement(rename, async () => ({ ...good, jobs: [mail] }))
implement(look, async () => ({ result: { name: 'x' } }))

// @ts-expect-error -- it does not declare this event
implement(renameSilently, async () => good)

// @ts-expect-error -- there is no such event
implement(rename, async () => ({ ...good, events: [{ ...event, type: 'thing.renamed' }] }))

// @ts-expect-error -- there is no such kind of job
implement(rename, async () => ({ ...good, jobs: [{ ...mail, kind: 'mail_something' }] }))

// @ts-expect-error -- the job has other data
implement(rename, async () => ({ ...good, jobs: [{ kind: mail.kind, data: { email: 'zoe@example.com' } }] }))

// @ts-expect-error -- the events are missing
implement(rename, async () => ({ result: good.result, resource }))

// @ts-expect-error -- the resource of the receipt is missing
implement(rename, async () => ({ result: good.result, events: [] }))

// @ts-expect-error -- a key of the result is missing
implement(rename, async () => ({ ...good, result: { name: 'x' } }))

// @ts-expect-error -- a key of the result is misspelt
implement(rename, async () => ({ ...good, result: { name: 'x', cuont: 1 } }))

// @ts-expect-error -- a key of the result has another type
implement(rename, async () => ({ ...good, result: { name: 'x', count: '1' } }))

// @ts-expect-error -- a result that may be missing
implement(look, async () => ({ result: { name: null } }))

// @ts-expect-error -- a tagged operation has no revision
implement(renameTagged, async () => good)

// @ts-expect-error -- a tagged query has no version
implement(lookTagged, async () => ({ result: { name: 'x' } }))

// @ts-expect-error -- an operation that is not tagged has a revision
implement(look, async () => ({ result: { name: 'x' }, revision: 1 }))

// @ts-expect-error -- outside a Workspace, the Workspace of the receipt is missing
implement(found, async () => ({ result: { name: 'x' }, resource, events: [] }))

// @ts-expect-error -- in a Workspace, the Workspace of the receipt is not a choice
implement(rename, async () => ({ ...good, workspace_id: 'x' }))

// @ts-expect-error -- its path names a resource, and `visible` is missing
implement(renameOne, async () => good)

// @ts-expect-error -- a query has no `visible`
implement(look, async () => ({ result: { name: 'x' } }), { visible })
