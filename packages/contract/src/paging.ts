import type { TSchema } from 'typebox'
import { T } from './json/type.ts'
import { component, nullable, open } from './schema.ts'

export const pageLimit = T.Integer({
  minimum: 1,
  maximum: 100,
  default: 20,
  description: 'The maximum number of items in the page.',
})

/**
 * Where a page ended. `cursor` is the id of the last row that was read, which may have been filtered out of the page. At
 * the end of the list it is null and `has_more` is false.
 */
export const Page = component(
  'Page',
  open({
    cursor: nullable(
      T.String({ description: 'Pass it as cursor to get the next page. Null at the end of the list.' }),
    ),
    has_more: T.Boolean({
      description: 'Whether there are more items. An empty page does not mean the end while this is true.',
    }),
  }),
)

/** The output of an operation that answers with pages of a list. */
export const listOf = <S extends TSchema>(item: S) => ({ data: T.Array(item), page: Page })
