import { buffer } from 'node:stream/consumers'
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Refuse } from '../../call/problem.ts'
import type { Reader } from '../../database/statement.ts'
import { fileById } from '../../files/file-store.ts'
import { versionToRead, type ReadableVersion } from '../../files/content/version-store.ts'
import { viewerOf, type CallerInWorkspace } from '../../rooms/room-access.ts'
import { readStatements, type Statements, type StatementSettings } from './read-statements.ts'
import { sheetText } from './sheet-store.ts'
import { mostBytes, tableOfCsv, tableOfSheet } from './statement-content.ts'
import { errorAt, type Table } from './statement-table.ts'

/** What was read from a version, and the SHA-256 of its content. Null if there was nothing to read: the caller cannot see it, for example. */
export type ReadVersion = { sha256: string; statements: Statements } | null

interface Named extends StatementSettings {
  file_id: string
  file_version_id?: string
  sheet?: number
}

/** Reads the statements of a File that the caller can see, in no transaction, so that a slow store holds no lock. */
export async function readVersion(
  blobs: Pick<BlobStore, 'read'>,
  reader: Reader,
  context: CallerInWorkspace,
  named: Named,
): Promise<ReadVersion> {
  const { workspace_id } = context.standing
  const [file, version] = await Promise.all([
    fileById(reader, viewerOf(context), named.file_id),
    versionToRead(reader, workspace_id, named),
  ])
  if (!file || version?.processing_status !== 'ready' || faultOfVersion(version) !== null) return null
  const found = isWorkbook(version)
    ? await tableOfWorkbook(reader, workspace_id, version, named.sheet ?? 1)
    : await tableOfText(blobs, workspace_id, version, named.sheet)
  const statements = 'table' in found ? readStatements(found.table, named) : found
  return { sha256: version.sha256, statements }
}

type FoundTable = { table: Table } | Exclude<Statements, { periods: unknown }>

async function tableOfText(
  blobs: Pick<BlobStore, 'read'>,
  workspace_id: string,
  { sha256 }: ReadableVersion,
  sheet: number | undefined,
): Promise<FoundTable> {
  if (sheet !== undefined) return { errors: [errorAt('/sheet', 'conflict', 'A CSV file has no sheets.')] }
  return tableOfCsv(await buffer(await blobs.read(workspace_id, sha256)))
}

/** The inspection keeps at least so many bytes of a sheet in one page, so a sheet with no more of them is one page. */
const longestSheet = 50_000

async function tableOfWorkbook(
  reader: Reader,
  workspace_id: string,
  { file_version_id }: ReadableVersion,
  sheet: number,
): Promise<FoundTable> {
  const found = await sheetText(reader, workspace_id, file_version_id, sheet)
  if (!found) return { errors: [errorAt('/sheet', 'unknown', 'The workbook has no such sheet.')] }
  if (found.longest > longestSheet)
    return {
      fault: `The sheet, or one before it, has more than ${longestSheet} bytes of text. Save the sheet as CSV.`,
    }
  return tableOfSheet(found.text)
}

const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const typeOf = ({ content_type }: ReadableVersion) => content_type.split(';', 1)[0]?.trim().toLowerCase()
const isWorkbook = (version: ReadableVersion): boolean => typeOf(version) === workbook

/** Why a ready version cannot hold statements, as far as its type and size tell. Null if it can. */
function faultOfVersion(version: ReadableVersion): string | null {
  if (isWorkbook(version))
    return version.text_status === 'ready' ? null : 'The cells of the workbook could not be read.'
  if (typeOf(version) !== 'text/csv') return 'The File is neither a CSV file nor an XLSX workbook.'
  return version.size_bytes > mostBytes ? 'The File has more than 1 MiB.' : null
}

/**
 * The statements of a version that the caller can open now. Throws unprocessable_content if there are none, validation_error if they
 * or the settings are not right, and unavailable if the version could not be opened when it was to be read.
 */
export function requireStatements(
  version: ReadableVersion,
  read: ReadVersion,
  refuse: Refuse<'unprocessable_content' | 'validation_error' | 'unavailable'>,
): Extract<Statements, { periods: unknown }> {
  const fault = faultOfVersion(version)
  if (fault !== null) throw refuse.unprocessable_content(fault)
  if (read?.sha256 !== version.sha256)
    throw refuse.unavailable('The File or your access to it has just changed. Send the request again.')
  const { statements } = read
  if ('fault' in statements) throw refuse.unprocessable_content(statements.fault)
  if ('periods' in statements) return statements
  const { errors } = statements
  throw refuse.validation_error(
    errors.length === 1 && errors[0]
      ? errors[0].detail
      : `The statements have ${errors.length} errors. Nothing was changed.`,
    { errors },
  )
}
