import { listFileVersions } from '@wbs/contract/files/versions'
import { implement } from '../../call/implement.ts'
import { pageOf } from '../../call/page.ts'
import { requireFile } from '../file-access.ts'
import { versionsPage } from './file-version-store.ts'

export const handleListFileVersions = implement(
  listFileVersions,
  async function listFileVersions({ file_id, cursor: before, limit = 20 }, context) {
    const { read, standing } = context
    const [, versions] = await Promise.all([
      requireFile(context, read, file_id),
      versionsPage(read, standing.workspace_id, file_id, { before, limit: limit + 1 }),
    ])
    return { result: pageOf(versions, limit, version => version.file_version_id) }
  },
)
