import { createHash } from 'node:crypto'
import type { InputOf } from '@wbs/contract/operation'
import { createTextFile } from '@wbs/contract/files/text-files'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement } from '../../call/implement.ts'
import { lockShared } from '../../database/locks.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import { lockPlace, lookAtPlace, requirePlace } from '../file-place.ts'
import { createFile, outcomeOfNewFile } from '../new-file.ts'
import { faultOfText, mediaTypes } from './text-content.ts'

/**
 * Stores the content before the File is saved, so that no File is without its content. The place is judged twice: before
 * something is stored, and under the lock of the Room, which is not held while the store works.
 */
export const handleCreateTextFile = (blobs: Pick<BlobStore, 'put'>) =>
  implement(
    createTextFile,
    async function createTextFile(input, context) {
      const { content, format = 'markdown' } = input
      const { standing, refuse } = context
      const fault = faultOfText(content, format)
      if (fault)
        throw refuse.validation_error(fault.detail, {
          errors: [{ in: 'body', pointer: '/content', ...fault }],
        })
      requirePlace(context, input, await lookAtPlaceAndLockContent(input, context), refuse)
      const { sha256, size_bytes } = await blobs.put(standing.workspace_id, Buffer.from(content))
      const room = requirePlace(context, input, await lockPlace(context, input), refuse)
      const stored = { sha256, is_text: true, summary: null }
      return outcomeOfNewFile(
        createFile(context, input, room, {
          origin: 'text',
          content: { content_type: mediaTypes[format], size_bytes, stored },
        }),
      )
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
