import { createHash } from 'node:crypto'
import type { InputOf } from '@wbs/contract/operation'
import { createTextFile } from '@wbs/contract/files/text-files'
import type { BlobStore, StoredContent } from '../../blobs/blob-store.ts'
import { implement, type MutationContext } from '../../call/implement.ts'
import { beyondStorage, Problem } from '../../call/problem.ts'
import { databaseTime } from '../../database/database-time.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import { askStore } from '../ask-store.ts'
import { isStored, lockContentToName, type Removal } from '../content/stored-content-store.ts'
import { lockPlace, mayCreateIn, requirePlace } from '../file-place.ts'
import { limitBeyond, requireStorage, type StorageLimits } from '../usage/storage-limit-store.ts'
import { createFile, outcomeOfNewFile } from '../new-file.ts'
import type { RemoveContent } from '../processing/remove-content.ts'
import { faultOfText, mediaTypes } from './text-content.ts'

type Input = InputOf<typeof createTextFile>
/**
 * The content, and a time before it was stored. Nothing was stored if the text or the place was refused (null), or it is beyond a limit.
 */
type Prepared = { content: StoredContent; since: Date } | Problem<'limit_reached'> | null
type Context = MutationContext<typeof createTextFile, Prepared>

/**
 * Stores the content before the transaction, so that no File is without its content and a slow store holds no lock. The place is
 * judged twice: before something is stored, and under the lock of the Room.
 */
export const handleCreateTextFile = (
  blobs: Pick<BlobStore, 'put'>,
  { removeContent, limits }: { removeContent: RemoveContent; limits: StorageLimits },
) =>
  implement<typeof createTextFile, Prepared>(
    createTextFile,
    async function createTextFile(input, context) {
      const { content, format = 'markdown' } = input
      const { refuse } = context
      const fault = faultOfText(content, format)
      if (fault)
        throw refuse.validation_error(fault.detail, {
          errors: [{ in: 'body', pointer: '/content', ...fault }],
        })
      const [place, removal] = await lockPlaceAndContent(input, context)
      const room = requirePlace(context, input, place, refuse)
      const { sha256, size_bytes } = requireContent(removal, context)
      const stored = { sha256, is_text: true, summary: null }
      const created = createFile(context, input, room, {
        origin: 'text',
        content: { content_type: mediaTypes[format], size_bytes, stored },
      })
      requireStorage(context.tx, context, limits, 'text')
      return outcomeOfNewFile(created)
    },
    {
      prefetch: lockPlaceAndContent,
      async prepare(input, context) {
        const { content, format = 'markdown' } = input
        const { read, standing, waitWithoutSlot } = context
        if (faultOfText(content, format)) return null
        const [since, mayCreate] = await Promise.all([databaseTime(read), mayCreateIn(context, input)])
        if (!mayCreate) return null
        const bytes = Buffer.from(content)
        const beyond = await limitBeyond(read, context, limits, bytes.length)
        if (beyond) return beyondStorage(beyond)
        const storing = blobs.put(standing.workspace_id, bytes)
        return { content: await askStore(storing, waitWithoutSlot), since }
      },
      async abandon(prepared, { workspace_id }) {
        if (prepared && !(prepared instanceof Problem))
          await removeContent(workspace_id, prepared.content.sha256)
      },
    },
  )

/** Nobody removes content while it is locked. */
const lockPlaceAndContent = (input: Input, context: CallerOfChange) =>
  Promise.all([
    lockPlace(context, input),
    lockContentToName(
      context.tx,
      context.standing.workspace_id,
      createHash('sha256').update(input.content).digest('hex'),
    ),
  ])

/** Throws limit_reached beyond a limit, unavailable if the content was not stored, or has been removed since. */
function requireContent(removal: Removal, { prepared, refuse }: Context): StoredContent {
  if (prepared instanceof Problem) throw prepared
  if (!prepared) throw refuse.unavailable('What you may do there has just changed. Send the request again.')
  if (!isStored(removal, prepared.since))
    throw refuse.unavailable('The content must be stored once more. Send the request again.')
  return prepared.content
}
