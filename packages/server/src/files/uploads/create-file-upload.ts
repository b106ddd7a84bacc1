import { createFileUpload } from '@wbs/contract/files/uploads'
import type { InputOf } from '@wbs/contract/operation'
import { implement } from '../../call/implement.ts'
import type { CallerOfChange } from '../../rooms/room-access.ts'
import { lockPlace, mayCreateIn, requirePlace } from '../file-place.ts'
import { createFile, outcomeOfNewFile } from '../new-file.ts'
import {
  countOwnUploads,
  firstExpiryJob,
  nameUpload,
  prepareUpload,
  requireFewUploads,
  type BeginParts,
  type Prepared,
} from './begin-upload.ts'
import { presentUploadWithoutParts } from './upload-view.ts'

const lockAndCount = (input: InputOf<typeof createFileUpload>, context: CallerOfChange) =>
  Promise.all([lockPlace(context, input), countOwnUploads(context.tx, context)])

export const handleCreateFileUpload = (parts: BeginParts) =>
  implement<typeof createFileUpload, Prepared>(
    createFileUpload,
    async function createFileUpload(input, context) {
      const { refuse } = context
      const { content_type, size_bytes, sha256: announced_sha256 = null } = input
      const [place, open] = await lockAndCount(input, context)
      const room = requirePlace(context, input, place, refuse)
      requireFewUploads(open, refuse)
      const content = { content_type, size_bytes, announced_sha256 }
      const created = createFile(context, input, room, { origin: 'upload', content })
      const { file } = created
      const upload = nameUpload(parts, file, file.current_version, context)
      const { result, ...outcome } = outcomeOfNewFile(created)
      return {
        ...outcome,
        result: { ...result, upload: presentUploadWithoutParts(upload, parts.settings) },
        jobs: [firstExpiryJob(upload, parts)],
      }
    },
    {
      prefetch: lockAndCount,
      prepare: async (input, context) =>
        (await mayCreateIn(context, input)) ? prepareUpload(parts, context, input.size_bytes) : null,
    },
  )
