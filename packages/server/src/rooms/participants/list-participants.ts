import { listParticipants } from '@wbs/contract/rooms/participants'
import { pageOf } from '../../call/page.ts'
import { implement } from '../../call/implement.ts'
import { onlookerOf } from './participant-access.ts'
import { participantsPage } from './participant-store.ts'
import { presentParticipant } from './participant-view.ts'
import { seenRoom } from '../room-access.ts'

export const handleListParticipants = implement(
  listParticipants,
  async function listParticipants({ room_id, after = null, limit = 20 }, context) {
    const { read } = context
    const room = await seenRoom(context, read, room_id)
    const rows = await participantsPage(read, room, onlookerOf(context, room), after, limit + 1)
    const { data, page } = pageOf(rows.map(presentParticipant), limit, one => one.participant_id)
    return { result: { participants: data, has_more: page.has_more, next_cursor: page.cursor } }
  },
)
