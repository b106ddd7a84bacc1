import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Id } from '@wbs/contract/ids'
import type { Person } from '../../harness/service.ts'
import { refused } from '../../harness/refused.ts'
import { startActivity, type Activity } from '../activity-fixture.ts'

let activity: Activity
let room_id: string
/** The events by their subject. */
const events: Record<string, Id<'evt'>> = {}

before(async () => {
  activity = await startActivity()
  const { olivia, gus, greta, mia, append, invite } = activity
  room_id = await activity.room()
  const ids = {
    gus: await invite(room_id, gus),
    greta: await invite(room_id, greta),
    mia: await invite(room_id, mia),
  }
  const pending = randomUUID()
  await activity.service.sql(
    `insert into room_participants (workspace_id, room_id, id, email, email_key, access_level, status, token_digest, invited_until, created_at, updated_at)
     values ($1, $2, $3, 'rival@example.com', 'rival@example.com', 'view', 'pending', sha256('t'), now() + interval '1 day', now(), now())`,
    [activity.workspace_id, room_id, pending],
  )
  const participant = (id: string) => ({ type: 'participant', id })
  events['by a member'] = await append({ room_id, actor: mia })
  events['by the service'] = await append({ room_id, actor: null })
  events['by Gus'] = await append({ room_id, actor: gus })
  events['by Greta'] = await append({ room_id, actor: greta })
  events['about Gus'] = await append({ room_id, about: gus })
  events['about Greta'] = await append({ room_id, about: greta })
  events['about Olivia'] = await append({ room_id, about: olivia })
  events['of Gus'] = await append({ room_id, subject: participant(ids.gus) })
  events['of Greta'] = await append({ room_id, subject: participant(ids.greta) })
  events['of Mia'] = await append({ room_id, subject: participant(ids.mia) })
  events['of somebody invited'] = await append({ room_id, subject: participant(pending) })
  events['of somebody unknown'] = await append({ room_id, subject: participant(randomUUID()) })
})
after(() => activity.close())

const shownTo = async (person: Person) => {
  const ids = (await activity.as(person).listEvents({ room_id, limit: 100 })).data.map(event => event.id)
  return Object.keys(events).filter(what => ids.includes(events[what] as Id<'evt'>))
}
const ofRivals = ['by Greta', 'about Greta', 'of Greta', 'of somebody invited', 'of somebody unknown']

describe('a Room that hides guests from each other', () => {
  it('shows everything to everybody with the visibility everyone', async () => {
    assert.deepEqual(await shownTo(activity.gus), Object.keys(events))
  })

  it('hides events by, of and about other guests from them', async () => {
    await activity.us.updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
    assert.deepEqual(
      await shownTo(activity.gus),
      Object.keys(events).filter(what => !ofRivals.includes(what)),
    )
    for (const what of ofRivals)
      await refused(activity.as(activity.gus).getEvent({ event_id: events[what] as string }), 'not_found')
    await activity.as(activity.gus).getEvent({ event_id: events['of Gus'] as string })
  })

  it('shows everything to members and managers', async () => {
    for (const member of [activity.olivia, activity.mia])
      assert.deepEqual(await shownTo(member), Object.keys(events))
    await activity.service.sql(
      `update room_participants set access_level = 'full_access' where room_id = $1 and user_id = $2`,
      [room_id, activity.gus.user_id],
    )
    assert.deepEqual(await shownTo(activity.gus), Object.keys(events))
  })
})
