import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Bytes } from '../../call/bytes.ts'
import { currentHolder } from '../../call/authority/url-holder.ts'
import { Problem, refuseWith } from '../../call/problem.ts'
import type { RowScope, Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { requireMayDownload, requireReadable } from '../content/content-access.ts'
import { contentToSend } from './content-to-send.ts'
import type { DownloadTokens } from './download-token.ts'
import { isUsedLink, useLink } from './used-link-store.ts'

interface LinkParts {
  tokens: DownloadTokens
  blobs: Pick<BlobStore, 'read'>
  readers: { scoped(scope: RowScope): Reader }
  writers: { transaction<T>(scope: RowScope, work: (tx: Transaction) => Promise<T>): Promise<T> }
  now: () => Date
}

const refuse = refuseWith(['not_found', 'forbidden', 'state_conflict', 'gone'])

/**
 * Opens a link to download. It is worth no more than whoever asked for it may do now, and its content is sent once: only sending
 * it uses the link up. Throws not_found for a link that the service did not make, gone for one that has expired, was used, or
 * whose holder has lost access, and forbidden if the holder's API key does not allow the address.
 */
export const createOpenLink =
  ({ tokens, blobs, readers, writers, now }: LinkParts) =>
  async (token: string, { address }: { address: string }): Promise<Bytes> => {
    const link = tokens.read(token)
    if (!link) throw refuse.not_found('There is no such link.')
    if (link.expires_at <= now().getTime()) throw noLongerValid()
    const { workspace_id, user_id } = link
    const reader = readers.scoped({ workspace_id, user_id })
    const asked = { address, scope: 'files:download', guests: true } as const
    const [holder, isUsed] = await Promise.all([currentHolder(reader, link, asked), isUsedLink(reader, link)])
    if (!holder || isUsed) throw noLongerValid()
    const readable = await requireReadable({ ...holder, refuse }, reader, link).catch((error: unknown) => {
      // A fault of the service, such as a database that is busy, says nothing about the link.
      throw isLostAccess(error) ? noLongerValid() : error
    })
    requireMayDownload(readable.file, refuse)
    return {
      ...contentToSend(blobs, readable),
      async beforeSending() {
        const isFirst = await writers.transaction({ workspace_id, user_id }, tx => useLink(tx, link))
        if (!isFirst) throw noLongerValid()
      },
    }
  }

const noLongerValid = () =>
  refuse.gone('The link has expired, was used, or is no longer valid. Get a new one.')

const isLostAccess = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'not_found' || error.code === 'state_conflict')
