import { read, type Reader } from '../../database/statement.ts'

/** The text of a sheet, as it was found in a workbook when it was uploaded. */
export interface SheetText {
  text: string
  /** The bytes of the longest of the sheets up to this one. */
  longest: number
}

/**
 * The text of a page of a workbook; undefined if there is none. Each sheet is one page, unless it is longer than the inspection
 * keeps in a page: `longest` tells.
 */
export const sheetText = (
  reader: Reader,
  workspace_id: string,
  file_version_id: string,
  sheet: number,
): Promise<SheetText | undefined> => reader.one(pageOfSheet, { workspace_id, file_version_id, page: sheet })

const pageOfSheet = read<SheetText>(
  'statement_sheet',
  `select text, (
     select max(octet_length(earlier.text)) from file_pages earlier
     where earlier.workspace_id = :workspace_id and earlier.file_version_id = :file_version_id
       and earlier.page <= :page) as longest
   from file_pages where workspace_id = :workspace_id and file_version_id = :file_version_id and page = :page`,
)
