import { Type as T, type TSchema } from 'typebox'
import { component, nullable, open } from './schema.ts'

export const pageLimit = T.Integer({
  minimum: 1,
  maximum: 100,
  default: 20,
  description: 'How many at most.',
})

/** Where a page ended. `cursor` is the last id that was looked at; at the end it is null and `has_more` false. */
export const Page = component('Page', open({ cursor: nullable(T.String()), has_more: T.Boolean() }))

export const listOf = <S extends TSchema>(item: S) => ({ data: T.Array(item), page: Page })
