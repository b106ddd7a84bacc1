import { downloadFile } from '@wbs/contract/files/downloads'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement } from '../../call/implement.ts'
import { requireMayDownload, requireReadable } from '../content/content-access.ts'
import { contentToSend } from './content-to-send.ts'

export const handleDownloadFile = (blobs: Pick<BlobStore, 'read'>) =>
  implement(downloadFile, async function downloadFile(input, context) {
    const readable = await requireReadable(context, context.read, input)
    requireMayDownload(readable.file, context.refuse)
    return { bytes: contentToSend(blobs, readable) }
  })
