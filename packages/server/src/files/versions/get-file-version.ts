import { getFileVersion } from '@wbs/contract/files/versions'
import { implement } from '../../call/implement.ts'
import { requireFile } from '../file-access.ts'
import { versionById } from './file-version-store.ts'

export const handleGetFileVersion = implement(getFileVersion, async function getFileVersion(named, context) {
  const { read, standing, refuse } = context
  const [, version] = await Promise.all([
    requireFile(context, read, named.file_id),
    versionById(read, standing.workspace_id, named),
  ])
  if (!version) throw refuse.not_found('The File has no such version.')
  return { result: { data: version } }
})
