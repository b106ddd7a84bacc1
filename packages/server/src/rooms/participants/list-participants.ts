import { listParticipants } from '@wbs/contract/rooms/participants'
import { pageOf } from '../../call/page.ts'
import { implement } from '../../call/implement.ts'
import { participantsPage } from './participant-store.ts'
import { presentParticipant } from './participant-view.ts'
import { requireRoom, viewerOf } from '../room-access.ts'

export const handleListParticipants = implement(
  listParticipants,
  async function listParticipants({ room_id, after = null, limit = 20 }, context) {
    const { read } = context
    const room = await requireRoom(context, read, room_id)
    const rows = await participantsPage(read, viewerOf(context), room, { after, limit: limit + 1 })
    const { data, page } = pageOf(
      rows.map(presentParticipant),
      limit,
      participant => participant.participant_id,
    )
    return { result: { participants: data, has_more: page.has_more, next_cursor: page.cursor } }
  },
)
