import type { ValueType } from '@wbs/contract/typed-values'
import type { Client } from '@wbs/sdk'
import type { ListWorld } from '../list-fixture.ts'

export type GivenValue = Parameters<Client['setListEntryValue']>[0]['value']

/** A List of all published Businesses with a column of each type, and one of its members. */
export interface Sheet {
  list_id: string
  member_id: string
  columns: Record<ValueType, string>
  /** Sets a value of the member, as the member of the Workspace by default. */
  set(column: ValueType, value: GivenValue, expected_version: number, client?: Client): SetAnswer
  /** The values of the member, by column. */
  values(): Promise<Record<string, unknown>>
  /** What was written into a value of the member, newest first. */
  history(column: ValueType, client?: Client): Promise<Awaited<HistoryAnswer>['data']>
  version(): Promise<number>
}

type SetAnswer = ReturnType<Client['setListEntryValue']>
type HistoryAnswer = ReturnType<Client['listListEntryValueHistory']>

export const text = (value: string) => ({ value_type: 'text', value }) as const
export const number = (value: number) => ({ value_type: 'number', value }) as const
export const boolean = (value: boolean) => ({ value_type: 'boolean', value }) as const
export const date = (value: string) => ({ value_type: 'date', value }) as const

export async function makeSheet(world: ListWorld, rule: object = { kind: 'all' }): Promise<Sheet> {
  const us = world.as(world.people.member)
  const types = ['text', 'number', 'boolean', 'date'] as const
  const { id: list_id, columns: made } = await world.list(
    rule,
    types.map(value_type => ({ name: `A ${value_type}`, value_type })),
  )
  const columns = Object.fromEntries(made.map(one => [one.value_type, one.column_id])) as Sheet['columns']
  const member_id = await world.business()
  return {
    list_id,
    member_id,
    columns,
    set: (column, value, expected_version, client = us) =>
      client.setListEntryValue({ list_id, member_id, column_id: columns[column], value, expected_version }),
    async values() {
      const { data } = await us.getListEntry({ list_id, member_id })
      return Object.fromEntries(data.values.map(one => [one.column_id, one.value.value]))
    },
    history: async (column, client = us) =>
      (await client.listListEntryValueHistory({ list_id, member_id, column_id: columns[column] })).data,
    version: async () => (await us.getList({ list_id })).data.version,
  }
}
