import { readFileContent } from '@wbs/contract/files/content'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { implement } from '../../call/implement.ts'
import type { Refuse } from '../../call/problem.ts'
import { requireMayDownload, requireReadable } from './content-access.ts'
import { readBytes } from './read-bytes.ts'
import { beginsCharacter, wholeCharacters } from './text-page.ts'

/** The longest page, and the longest content that is not text and still read instead of downloaded. */
const longestPage = 256 * 1024

export const handleReadFileContent = (blobs: Pick<BlobStore, 'read'>) =>
  implement(readFileContent, async function readFileContent(input, context) {
    const { offset = 0, max_bytes = longestPage } = input
    const { read, standing, refuse } = context
    const { file, version } = await requireReadable(context, read, input)
    const { size_bytes: total_bytes, is_text, sha256 } = version
    if (!is_text) {
      requireMayDownload(file, refuse)
      if (total_bytes > longestPage)
        throw refuse.download_required('Content of more than 256 KiB that is not text must be downloaded.')
    }
    if (offset > total_bytes)
      throw badOffset(
        'out_of_range',
        `offset must be at most ${total_bytes}, the size of the content.`,
        refuse,
      )
    // One byte more than the page shows whether the page would cut a character.
    const end = Math.min(offset + max_bytes + (is_text ? 1 : 0), total_bytes)
    const bytes = await readBytes(blobs, standing.workspace_id, sha256, { start: offset, end })
    if (is_text && !beginsCharacter(bytes))
      throw badOffset(
        'not_boundary',
        'offset must be the first byte of a character. Use next_offset.',
        refuse,
      )
    const page = is_text ? wholeCharacters(bytes, max_bytes) : bytes
    const next_offset = offset + page.length
    const encoding = is_text ? ('utf8' as const) : ('base64' as const)
    return {
      result: {
        file_content: {
          file_id: file.file_id,
          file_version_id: version.file_version_id,
          file_name: file.name,
          content_type: version.content_type,
          encoding,
          content: page.toString(encoding),
          size_bytes: page.length,
          total_bytes,
          offset,
          next_offset,
          has_more: next_offset < total_bytes,
        },
      },
    }
  })

function badOffset(
  code: 'out_of_range' | 'not_boundary',
  detail: string,
  refuse: Refuse<'validation_error'>,
): Error {
  return refuse.validation_error(detail, { errors: [{ in: 'body', pointer: '/offset', code, detail }] })
}
