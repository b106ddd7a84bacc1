import assert from 'node:assert/strict'
import type { ValueType } from '@wbs/contract/typed-values'
import type { Client } from '@wbs/sdk'
import type { ListWorld } from '../list-fixture.ts'
import { insertOverride, insertValues } from './entry-values.ts'

const types = ['text', 'number', 'boolean', 'date'] as const satisfies ValueType[]
type Values = Partial<Record<ValueType, string | number | boolean>>

/** A List with a column of each type. */
export interface TypedList {
  list_id: string
  /** The id of the column of each type. */
  columns: Record<ValueType, string>
  /** Sets values of a Business by SQL. */
  values(member_id: string, values: Values): Promise<void>
  override(member_id: string, mode: 'include' | 'exclude'): Promise<void>
  /** A new published Business that is included, with these values. */
  member(name: string, values?: Values): Promise<string>
  /** The names of the entries, page by page. */
  names(asked?: object, client?: Client): Promise<(string | null)[]>
  filter(type: ValueType, operator: string, value?: unknown): string
}

export async function makeTypedList(world: ListWorld, rule: object = { kind: 'none' }): Promise<TypedList> {
  const { service, workspace_id, people } = world
  const list = await world.list(
    rule,
    types.map(value_type => ({ name: value_type, value_type })),
  )
  const columns = Object.fromEntries(
    list.columns.map(column => [column.name, column.column_id]),
  ) as TypedList['columns']
  const listed = { workspace_id, list_id: list.id }
  const values = (member_id: string, given: Values) =>
    insertValues(
      service,
      listed,
      Object.entries(given).map(([type, value]) => ({
        member_id,
        column_id: columns[type as ValueType],
        value_type: type as ValueType,
        value,
      })),
    )
  const override = (member_id: string, mode: 'include' | 'exclude') =>
    insertOverride(service, listed, { member_id, mode, by: people.owner })
  return {
    list_id: list.id,
    columns,
    values,
    override,
    async member(name, given = {}) {
      const id = await world.business({ name })
      await override(id, 'include')
      await values(id, given)
      return id
    },
    async names(asked = {}, client = world.as(people.member)) {
      const names: (string | null)[] = []
      let cursor: string | null = null
      do {
        const page = await client.listListEntries({
          list_id: list.id,
          ...asked,
          ...(cursor !== null && { cursor }),
        })
        names.push(...page.data.map(entry => entry.subject.name))
        assert.notEqual(page.page.cursor, cursor ?? '')
        cursor = page.page.cursor
      } while (cursor !== null)
      return names
    },
    filter: (type, operator, value) => JSON.stringify({ column_id: columns[type], operator, value }),
  }
}
