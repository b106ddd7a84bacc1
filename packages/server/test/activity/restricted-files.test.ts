import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { AccessLevel } from '@wbs/contract/scopes'
import { isProblem } from '@wbs/sdk'
import fc from 'fast-check'
import { addFile } from '../files/file-fixture.ts'
import { addPermission, addRoomFile } from '../files/room-files/room-file-rows.ts'
import { eventually } from '../harness/eventually.ts'
import { startActivity, type Activity } from './activity-fixture.ts'
import { openStream } from './event-reader.ts'
import { proofRuns } from '../harness/proof.ts'

const names = ['olivia', 'mia', 'viktor', 'gus', 'greta'] as const
type Name = (typeof names)[number]
const members: readonly Name[] = ['olivia', 'mia', 'viktor']
const permissions = ['none', 'in force', 'revoked', 'ended'] as const

/** An attachment of the File to the Room. All but the last one have left it. */
interface Attachment {
  restricted: boolean
  permissions: Record<Name, (typeof permissions)[number]>
}

interface Plan {
  general: boolean
  levels: Record<Name, AccessLevel | 'none'>
  attachments: Attachment[]
  has_left: boolean
}

const forEach = <T>(one: fc.Arbitrary<T>) =>
  fc.record(Object.fromEntries(names.map(name => [name, one])) as Record<Name, fc.Arbitrary<T>>)
const plans: fc.Arbitrary<Plan> = fc.record({
  general: fc.boolean(),
  levels: forEach(fc.constantFrom('none', 'view', 'edit', 'full_access')),
  attachments: fc.array(
    fc.record({ restricted: fc.boolean(), permissions: forEach(fc.constantFrom(...permissions)) }),
    { minLength: 1, maxLength: 3 },
  ),
  has_left: fc.boolean(),
})

const opens = ({ general, levels }: Plan, name: Name) =>
  levels[name] !== 'none' || (general && members.includes(name))

/** Who can see an event about the File, computed independently of the service. */
function knows(plan: Plan, name: Name): boolean {
  if (!opens(plan, name)) return false
  const last = plan.attachments.at(-1)
  return !last?.restricted || plan.levels[name] === 'full_access' || last.permissions[name] === 'in force'
}

describe('the events of a File in a Room', () => {
  let activity: Activity
  before(async () => (activity = await startActivity()))
  after(() => activity.close())

  async function build(plan: Plan) {
    const { service, workspace_id, olivia, append } = activity
    const room_id = await activity.room()
    await service.sql(`update room_participants set status = 'revoked' where room_id = $1`, [room_id])
    if (plan.general)
      await service.sql(
        `update rooms set general_access = 'workspace', general_access_level = 'edit' where id = $1`,
        [room_id],
      )
    for (const name of names)
      if (plan.levels[name] !== 'none') await activity.invite(room_id, activity[name], plan.levels[name])
    const file_id = await addFile(service, workspace_id, olivia)
    for (const [i, { restricted, permissions: held }] of plan.attachments.entries()) {
      const hasLeft = plan.has_left || i < plan.attachments.length - 1
      const room_file_id = await addRoomFile(
        activity,
        { room_id, file_id },
        {
          access_mode: restricted ? 'restricted' : 'inherit_room',
          status: hasLeft ? 'archived' : 'active',
        },
      )
      for (const name of restricted ? names : []) {
        if (held[name] === 'none' || (held[name] === 'in force' && !opens(plan, name))) continue
        await addPermission(activity, room_file_id, activity[name].user_id, 'view', held[name] === 'ended')
        if (held[name] === 'revoked')
          await service.sql(
            `update room_file_permissions set status = 'revoked' where room_file_id = $1 and user_id = $2`,
            [room_file_id, activity[name].user_id],
          )
      }
    }
    const subject = { type: 'file', id: file_id }
    const event_id = await append({ room_id, type: 'file.updated', subject })
    // One about something else, after it.
    const other_id = await append({ room_id })
    return { room_id, event_id, other_id }
  }

  /** The ids of the events of an answer; none if it is refused. */
  const idsOf = (call: Promise<{ data: { id: string } | { id: string }[] }>): Promise<string[]> =>
    call.then(
      ({ data }) => [data].flat().map(one => one.id),
      (error: unknown) => {
        if (isProblem(error, 'not_found') || isProblem(error, 'forbidden')) return []
        throw error
      },
    )

  it('are shown to exactly those who can open it, in every operation', async () => {
    let [shown, hidden] = [0, 0]
    await fc.assert(
      fc.asyncProperty(plans, async plan => {
        const { room_id, event_id, other_id } = await build(plan)
        for (const name of names) {
          const client = activity.as(activity[name])
          const answers = {
            one: idsOf(client.getEvent({ event_id })),
            'of the Room': idsOf(client.listEvents({ room_id })),
            'of all Rooms': idsOf(client.listEvents({ limit: 100 })),
            'of a type': idsOf(client.listEvents({ types: ['file.updated'], room_id })),
            'changes of the Room': idsOf(client.listEventChanges({ room_id, limit: 100 })),
          }
          for (const [what, ids] of Object.entries(answers)) {
            const seen = await ids
            assert.equal(seen.includes(event_id), knows(plan, name), `${name}: ${what}`)
            if (!['one', 'of a type'].includes(what))
              assert.equal(seen.includes(other_id), opens(plan, name), `${name}: another event, ${what}`)
          }
          if (knows(plan, name)) shown++
          else if (opens(plan, name)) hidden++
        }
      }),
      { numRuns: proofRuns({ full: 60, short: 12 }) },
    )
    const least = proofRuns({ full: 20, short: 1 })
    assert.ok(shown > least && hidden > least)
  })

  it('reach streams and long polls of those who can open it, and of nobody else', async () => {
    const { service, workspace_id, olivia, gus, greta, us, append } = activity
    const room_id = await activity.room()
    await activity.invite(room_id, gus)
    await activity.invite(room_id, greta)
    const file_id = await addFile(service, workspace_id, olivia)
    const { room_file } = await us.attachRoomFile({ room_id, file_id })
    const streams = await Promise.all(
      [olivia, gus, greta].map(person => openStream(activity, { authorization: `Bearer ${person.token}` })),
    )
    const cursor = (await activity.as(greta).listEventChanges({ room_id, limit: 100 })).cursor
    const poll = activity.as(greta).listEventChanges({ room_id, cursor, wait_seconds: 20 })
    await us.setRoomFilePermission({
      room_file_id: room_file.room_file_id,
      user_id: gus.user_id,
      access_level: 'view',
    })
    const subject = { type: 'file', id: file_id }
    await append({ room_id, type: 'file.updated', subject })
    const last = await append({ room_id })
    const told: string[][] = []
    for (const stream of streams) {
      await eventually(() => stream.blocks.some(block => block.data?.id === last))
      told.push(stream.blocks.flatMap(block => (block.data ? [block.data.type] : [])))
      stream.close()
    }
    const all = ['file.permission_set', 'file.updated', 'room.updated']
    assert.deepEqual(told, [all, all, ['room.updated']])
    assert.deepEqual(
      (await poll).data.map(event => event.type),
      ['room.updated'],
    )
  })

  it('show again when the File is not restricted any more', async () => {
    const { service, workspace_id, olivia, gus, greta, us } = activity
    const room_id = await activity.room()
    await activity.invite(room_id, gus)
    await activity.invite(room_id, greta)
    const file_id = await addFile(service, workspace_id, olivia)
    const { room_file } = await us.attachRoomFile({ room_id, file_id })
    const { room_file_id } = room_file
    const typesFor = async (person: typeof gus) =>
      (await activity.as(person).listEvents({ room_id, types: ['file.*'] })).data.map(event => event.type)
    await us.setRoomFilePermission({ room_file_id, user_id: gus.user_id, access_level: 'view' })
    assert.deepEqual(await typesFor(gus), ['file.permission_set', 'file.added_to_room'])
    assert.deepEqual(await typesFor(greta), [])
    // Not even its departure shows.
    await us.archiveRoomFile({ room_file_id, expected_revision: 2 })
    assert.deepEqual(await typesFor(greta), [])
    await us.restoreRoomFile({ room_file_id, expected_revision: 3 })
    await us.updateRoomFile({ room_file_id, expected_revision: 4, access_mode: 'inherit_room' })
    const everything = [
      'file.updated',
      'file.added_to_room',
      'file.removed_from_room',
      'file.permission_set',
      'file.added_to_room',
    ]
    assert.deepEqual(await typesFor(greta), everything)
  })
})
