/** What describes a File and can be edited. */
export interface DescribedFile {
  name: string
  description: string | null
  classification: string
  tags: readonly string[]
}

const editable = ['name', 'description', 'classification', 'tags'] as const

/** The fields in which two states of a File differ. */
export const changedFields = (before: DescribedFile, after: DescribedFile): string[] =>
  editable.filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
