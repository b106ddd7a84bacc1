import type { Operation } from '@wbs/contract/operation'
import { withoutNull, type PlainSchema } from './parameters.ts'

/** An operation that answers a list: where its items are, and how the next page is asked for. */
export interface ListShape {
  /** The member of the answer with the items. */
  items: string
  /** The parameter that continues, if there are pages. */
  next: 'cursor' | 'after' | null
  item: PlainSchema
}

/** The shape of a list: the operation pages, or it answers nothing but a list of objects. */
export function listShape(op: Operation): ListShape | null {
  const output = op.output as Readonly<Record<string, PlainSchema>>
  const lists = Object.entries(output).filter(([, schema]) => isListOfObjects(schema))
  const [first] = lists
  if (!first || !(isPaged(output) || Object.keys(output).length === 1)) return null
  const item = withoutNull(first[1].items as PlainSchema).schema
  const next = 'after' in op.input ? 'after' : 'cursor' in op.input ? 'cursor' : null
  return { items: first[0], next: isPaged(output) ? next : null, item }
}

const isPaged = (output: object) => 'page' in output || 'has_more' in output

const isListOfObjects = (schema: PlainSchema) =>
  schema.type === 'array' && schema.items !== undefined && 'properties' in withoutNull(schema.items).schema

/** How many items a page may have (contract/paging.ts). */
export const largestPage = 100
