import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { isProblem } from '@wbs/sdk'
import fc from 'fast-check'
import { addBusiness } from '../harness/businesses.ts'
import { startActivity, type Activity } from './activity-fixture.ts'

const businesses = ['published', 'linked draft', 'draft of others', 'draft that was taken out'] as const
const memberships = ['gone', 'pending expiry', 'expired', 'none', 'active'] as const
const names = ['olivia', 'mia', 'viktor', 'gus', 'greta', 'sam'] as const

interface Plan {
  general_access: 'invited_only' | 'business' | 'workspace'
  business: (typeof businesses)[number]
  archived: boolean
  participants: Record<(typeof names)[number], (typeof memberships)[number]>
}

const plans: fc.Arbitrary<Plan> = fc.record({
  general_access: fc.constantFrom('invited_only', 'business', 'workspace'),
  business: fc.constantFrom(...businesses),
  archived: fc.boolean(),
  participants: fc.record(
    Object.fromEntries(names.map(name => [name, fc.constantFrom(...memberships)])) as Record<
      (typeof names)[number],
      fc.Arbitrary<(typeof memberships)[number]>
    >,
  ),
})

/** Who can see a Room, computed independently of the service. Mia is a member without businesses:read. */
function opens(plan: Plan, name: (typeof names)[number]): boolean {
  if (['active', 'pending expiry'].includes(plan.participants[name])) return true
  if (!['olivia', 'mia', 'viktor'].includes(name)) return false
  if (plan.general_access === 'workspace') return true
  if (plan.general_access === 'invited_only' || name === 'mia') return false
  return plan.business === 'published' || plan.business === 'linked draft'
}

describe('the visible events of the feed', () => {
  let activity: Activity
  const ids = {} as Record<(typeof businesses)[number], string>
  before(async () => {
    activity = await startActivity()
    const { service, workspace_id, sams, olivia, mia, sam } = activity
    const draft = (name: string) => addBusiness(service, { name, publication_status: 'draft' })
    ids['published'] = await addBusiness(service, { name: 'Published' })
    ids['linked draft'] = await draft('Ours')
    ids['draft of others'] = await draft('Theirs')
    ids['draft that was taken out'] = await draft('Once ours')
    await service.link(workspace_id, ids['linked draft'], olivia)
    await service.link(workspace_id, ids['draft that was taken out'], olivia)
    await service.link(sams, ids['draft of others'], sam)
    await service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      ids['draft that was taken out'],
    ])
    await service.sql(
      `update memberships set permissions = '{"businesses:read": false}' where user_id = $1`,
      [mia.user_id],
    )
    await service.sql('insert into users (id, issuer, subject) values ($1, $2, $3) on conflict do nothing', [
      sam.user_id,
      service.issuer.issuer,
      sam.subject,
    ])
  })
  after(() => activity.close())

  async function build(plan: Plan): Promise<{ room_id: string; event_id: string }> {
    const { service, workspace_id } = activity
    const room_id = newId('rom')
    await service.sql(
      `insert into rooms (workspace_id, id, business_id, title, status, archived_at, general_access, general_access_level, created_by, created_at, updated_at)
       values ($1, $2, $3, 'A Room', $4, $5, $6, $7, $8, now(), now())`,
      [
        workspace_id,
        room_id,
        ids[plan.business],
        plan.archived ? 'archived' : 'active',
        plan.archived ? new Date() : null,
        plan.general_access,
        plan.general_access === 'invited_only' ? null : 'view',
        activity.olivia.user_id,
      ],
    )
    for (const name of names) {
      const how = plan.participants[name]
      if (how === 'none') continue
      await service.sql(
        `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, expires_at, created_at, updated_at)
         values ($1, $2, $3, $4, not exists (select from memberships m where m.workspace_id = $1 and m.user_id = $4 and m.status = 'active'), 'view', $5, $6, now(), now())`,
        [
          workspace_id,
          room_id,
          randomUUID(),
          activity[name].user_id,
          how === 'gone' ? 'revoked' : 'active',
          how === 'expired'
            ? new Date(Date.now() - 1000)
            : how === 'pending expiry'
              ? new Date(Date.now() + 3_600_000)
              : null,
        ],
      )
    }
    return { room_id, event_id: await activity.append({ room_id }) }
  }

  /** The answer of a call, or the code of its problem. */
  const outcome = <T>(call: Promise<T>): Promise<T | string> =>
    call.catch((error: unknown) => {
      if (isProblem(error, 'not_found') || isProblem(error, 'forbidden')) return error.problem.code
      throw error
    })

  it('are those of exactly the visible Rooms, in every operation', async () => {
    let shown = 0
    let hidden = 0
    await fc.assert(
      fc.asyncProperty(plans, async plan => {
        const { room_id, event_id } = await build(plan)
        for (const name of names) {
          const client = activity.as(activity[name])
          const expected = opens(plan, name)
          const [room, event, inRoom, inAll, changes] = await Promise.all([
            outcome(client.getRoom({ room_id })),
            outcome(client.getEvent({ event_id })),
            outcome(client.listEvents({ room_id })),
            outcome(client.listEvents({ limit: 100 })),
            outcome(client.listEventChanges({ room_id })),
          ])
          const listed = typeof inAll === 'object' && inAll.data.some(one => one.id === event_id)
          assert.equal(listed, expected, `${name}, of all Rooms`)
          for (const answer of [room, event, inRoom, changes])
            assert.equal(typeof answer === 'object', expected, name)
          if (expected) shown++
          else hidden++
        }
      }),
      { numRuns: 40 },
    )
    assert.ok(shown > 20 && hidden > 20)
  })
})
