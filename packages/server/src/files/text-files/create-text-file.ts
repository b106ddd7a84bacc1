import { createHash } from 'node:crypto'
import type { InputOf } from '@wbs/contract/operation'
import { createTextFile } from '@wbs/contract/files/text-files'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement } from '../../call/implement.ts'
import { lockShared } from '../../database/locks.ts'
import { viewerOf, type CallerOfChange } from '../../rooms/room-access.ts'
import { insertFile } from '../file-change-store.ts'
import { lockPlace, lookAtPlace, requirePlace } from '../file-place.ts'
import { presentFile } from '../file-view.ts'
import { insertRoomFile } from '../room-files/room-file-change-store.ts'
import { presentRoomFile, roomFileAsSubject } from '../room-files/room-file-view.ts'
import { faultOfText, mediaTypes } from './text-content.ts'

/**
 * Stores the content before the File is saved, so that no File is without its content. The place is judged twice: before
 * something is stored, and under the lock of the Room, which is not held while the store works.
 */
export const handleCreateTextFile = (blobs: Pick<BlobStore, 'put'>) =>
  implement(
    createTextFile,
    async function createTextFile(input, context) {
      const { name, content, format = 'markdown', index_path = name, ...described } = input
      const { caller, standing, tx, now, refuse } = context
      const fault = faultOfText(content, format)
      if (fault)
        throw refuse.validation_error(fault.detail, {
          errors: [{ in: 'body', pointer: '/content', ...fault }],
        })
      requirePlace(context, input, await lookAtPlaceAndLockContent(input, context), refuse)
      const { sha256, size_bytes } = await blobs.put(standing.workspace_id, Buffer.from(content))
      const room = requirePlace(context, input, await lockPlace(context, input), refuse)
      const file = insertFile(
        tx,
        {
          workspace_id: standing.workspace_id,
          user_id: caller.user_id,
          membership_id: standing.membership_id,
          access_level: standing.membership_id === null && room ? room.access_level : 'full_access',
          business_id: described.business_id ?? null,
          name,
          description: described.description ?? null,
          classification: described.classification ?? 'other',
          tags: described.tags ?? [],
          origin: 'text',
          content: {
            content_type: mediaTypes[format],
            size_bytes,
            stored: { sha256, is_text: true, summary: null },
          },
        },
        now,
      )
      const room_file = room && insertRoomFile(tx, viewerOf(context), room, file, index_path, now)
      return {
        result: {
          file: presentFile(file),
          new_version: file.current_version,
          ...(room_file && { room_file: presentRoomFile(room_file) }),
        },
        revision: file.revision,
        resource: { type: 'file', id: file.file_id },
        events: room_file
          ? [
              { type: 'file.created', ...roomFileAsSubject(room_file) },
              { type: 'file.added_to_room', ...roomFileAsSubject(room_file) },
            ]
          : [],
      }
    },
    { prefetch: lookAtPlaceAndLockContent },
  )

/** The sweeper does not remove content while this lock is held. */
async function lookAtPlaceAndLockContent(input: InputOf<typeof createTextFile>, context: CallerOfChange) {
  const sha256 = createHash('sha256').update(input.content).digest('hex')
  const [place] = await Promise.all([
    lookAtPlace(context, input),
    lockShared(context.tx, context.standing.workspace_id, [['blob', sha256]]),
  ])
  return place
}
