import type { Operation } from '@wbs/contract/operation'

/** How the pages of a list continue: by `page.cursor`, or by `next_cursor` or `cursor` beside the items. */
export interface List {
  kind: 'page' | 'next_cursor' | 'cursor'
  /** The key of the items in the answer. */
  items: string
}

/** What kind of list an operation answers with; undefined if it is none, or one without pages. */
export function listOf({ output }: Operation): List | undefined {
  const kind =
    'page' in output
      ? 'page'
      : (['next_cursor', 'cursor'] as const).find(key => 'has_more' in output && key in output)
  const items = Object.entries(output).find(
    ([, schema]) => (schema as { type?: unknown }).type === 'array',
  )?.[0]
  return kind && items !== undefined ? { kind, items } : undefined
}

/** The name of the method: `create_workspace` is `createWorkspace`. */
export const methodNameOf = ({ name }: Operation): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
