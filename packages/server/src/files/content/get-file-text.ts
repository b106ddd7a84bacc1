import { getFileText } from '@wbs/contract/files/content'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement } from '../../call/implement.ts'
import type { Reader } from '../../database/statement.ts'
import { requireReadable } from './content-access.ts'
import { readBytes } from './read-bytes.ts'
import { charactersBegunIn } from './text-page.ts'
import { storedPage, type ReadableVersion } from './version-store.ts'

/** The length of a page of content that is text itself, in bytes. A page has the characters that begin in it. */
const textPage = 64 * 1024

export const handleGetFileText = (blobs: Pick<BlobStore, 'read'>) =>
  implement(getFileText, async function getFileText(input, context) {
    const { page = 1 } = input
    const { read, standing } = context
    const { version } = await requireReadable(context, read, input)
    const { file_version_id, is_text, size_bytes } = version
    const pages = is_text ? Math.ceil(size_bytes / textPage) : version.page_count
    const text = is_text
      ? await pageOfContent(blobs, standing.workspace_id, version, page)
      : await pageFound(read, standing.workspace_id, version, page)
    const status = is_text ? ('ready' as const) : version.text_status
    const data = { file_version_id, page, text, has_more: page < pages, extraction: { status, pages } }
    return { result: { data } }
  })

const pageFound = async (
  reader: Reader,
  workspace_id: string,
  { file_version_id }: ReadableVersion,
  page: number,
) => (await storedPage(reader, workspace_id, file_version_id, page)) ?? ''

/** Content that is text needs no extraction: its pages are parts of it. */
async function pageOfContent(
  blobs: Pick<BlobStore, 'read'>,
  workspace_id: string,
  { sha256, size_bytes }: ReadableVersion,
  page: number,
): Promise<string> {
  const start = (page - 1) * textPage
  // A character has at most four bytes, so the last one of the page ends at most three after it.
  const end = Math.min(start + textPage + 3, size_bytes)
  const bytes = await readBytes(blobs, workspace_id, sha256, { start: Math.min(start, end), end })
  return charactersBegunIn(bytes, textPage).toString('utf8')
}
