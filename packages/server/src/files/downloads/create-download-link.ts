import { randomUUID } from 'node:crypto'
import { createDownloadLink } from '@wbs/contract/files/downloads'
import { holderOf } from '../../call/authority/url-holder.ts'
import { implement } from '../../call/implement.ts'
import { requireMayDownload, requireReadable } from '../content/content-access.ts'
import { beforeFileChange } from '../file-access.ts'
import type { DownloadTokens } from './download-token.ts'

const longestLife = 300

export const handleCreateDownloadLink = (tokens: DownloadTokens, baseUrl: () => string) =>
  implement(
    createDownloadLink,
    async function createDownloadLink({ ttl_seconds = longestLife, ...named }, context) {
      const { caller, standing, tx, now, refuse } = context
      const { file, version } = await requireReadable(context, tx, named)
      requireMayDownload(file, refuse)
      const expires_at = now.getTime() + ttl_seconds * 1000
      const token = tokens.write({
        ...holderOf(caller, standing.workspace_id),
        link_id: randomUUID(),
        file_id: file.file_id,
        file_version_id: version.file_version_id,
        expires_at,
      })
      return {
        result: {
          url: `${baseUrl()}/v1/downloads/${token}`,
          expires_at: new Date(expires_at).toISOString(),
        },
        resource: { type: 'file', id: file.file_id },
        events: [],
      }
    },
    { visible: beforeFileChange.visible },
  )
