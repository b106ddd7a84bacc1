import { getFile } from '@wbs/contract/files/files'
import { implement } from '../call/implement.ts'
import { requireFile } from './file-access.ts'
import { presentFile } from './file-view.ts'

export const handleGetFile = implement(getFile, async function getFile({ file_id }, context) {
  const file = await requireFile(context, context.read, file_id)
  return { result: { file: presentFile(file) }, revision: file.revision }
})
