import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../../harness/businesses.ts'
import { makeTaskWorld, type PersonName, type TaskWorld } from '../../tasks/task-fixture.ts'

describe('what a guest attaches to a Room that hides guests', () => {
  let world: TaskWorld
  before(async () => {
    world = await makeTaskWorld()
  })
  after(() => world.service.close())

  /** A Business that the guest has attached to such a Room. */
  async function attachedByGuest() {
    const room_id = (await world.maskedRoom('edit')) as never
    const id = await addBusiness(world.service, { name: 'Glacier' })
    const resource = { room_id, resource_type: 'business', resource_id: id } as const
    await world.by('guest').attachRoomResource(resource)
    return { room_id, id: id as never, resource }
  }

  const attached = async (name: PersonName, room_id: never) =>
    (await world.by(name).getRoom({ room_id })).room.attachments.map(one => one.id)

  it('is attached once more by a rival, who does not see it', async () => {
    const { room_id, id, resource } = await attachedByGuest()
    assert.deepEqual(await attached('rival', room_id), [])
    const { room, action_receipt } = await world.by('rival').attachRoomResource(resource)
    assert.deepEqual([room.attachments.length, action_receipt.changed], [1, ['attachments']])
    for (const name of ['guest', 'rival'] as const) assert.deepEqual(await attached(name, room_id), [id])
    // Each has their own, and neither is there twice.
    const again = await world.by('rival').attachRoomResource(resource)
    assert.deepEqual([again.room.attachments, again.action_receipt.changed], [room.attachments, []])
    assert.deepEqual(await attached('member', room_id), [id, id])
    const attachment_id = String(room.attachments[0]?.attachment_id)
    await world.by('rival').detachRoomResource({ room_id, attachment_id })
    assert.deepEqual(await attached('rival', room_id), [])
    assert.deepEqual(await attached('guest', room_id), [id])
  })

  it('lets a rival find the Room by it only once it is theirs too, or a member attaches it', async () => {
    const { room_id, id: business_id, resource } = await attachedByGuest()
    const found = async (name: PersonName) => (await world.by(name).listEvents({ business_id })).data.length
    assert.equal(await found('rival'), 0)
    for (const name of ['guest', 'member'] as const) assert.ok((await found(name)) > 0)
    await world.by('rival').attachRoomResource(resource)
    assert.ok((await found('rival')) > 0)
    const other = await addBusiness(world.service, { name: 'Iceberg' })
    await world.by('member').attachRoomResource({ ...resource, room_id, resource_id: other })
    assert.ok((await world.by('rival').listEvents({ business_id: other })).data.length > 0)
  })

  it('tells a rival nothing by the events of the Business', async () => {
    const { room_id, id } = await attachedByGuest()
    const known = await addBusiness(world.service, { name: 'Iceberg' })
    const resource = { room_id, resource_type: 'business', resource_id: known } as const
    await world.by('member').attachRoomResource(resource)
    // As the job that tells the Rooms of a Business adds them.
    for (const [n, business_id] of [id, known].entries())
      await world.service.sql(
        `with counter as (
           update feed_positions set last_position = last_position + 1 where workspace_id = $1 returning last_position
         )
         insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, data, command_id, ordinal)
         select $1, last_position, 'evt_' || lpad($3 || right($2, 20), 26, '0'), 'business.updated', 'activity', now(),
           '{"type": "system", "user_id": null, "name": null, "via": null}',
           jsonb_build_object('type', 'business', 'id', $4::text, 'name', 'Said'), $2, '{"changed": ["name"]}', gen_random_uuid(), 0
         from counter`,
        [world.workspace_id, room_id, n, business_id],
      )
    const told = async (name: PersonName) =>
      (await world.by(name).listEvents({ room_id, types: ['business.updated'] })).data.map(
        event => event.subject.id,
      )
    assert.deepEqual(await told('guest'), [known, id])
    assert.deepEqual(await told('member'), [known, id])
    assert.deepEqual(await told('rival'), [known])
  })
})
