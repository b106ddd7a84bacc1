import type { Client } from '@wbs/sdk'

/** The whole content of a text File, read page by page of the first page's version. */
export async function readWhole(client: Client, file_id: string, max_bytes?: number): Promise<string> {
  let text = ''
  let version: { file_version_id?: string } = {}
  for (let offset = 0; ;) {
    const { file_content } = await client.readFileContent({
      file_id,
      offset,
      ...version,
      ...(max_bytes !== undefined && { max_bytes }),
    })
    text += file_content.content
    if (!file_content.has_more) return text
    offset = file_content.next_offset
    version = { file_version_id: file_content.file_version_id }
  }
}
