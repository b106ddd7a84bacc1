import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'

/** A List of all published Businesses with a column of each type. */
async function freshList({ us }: World) {
  const { data } = await us.createList({
    name: 'Candidates',
    definition: { schema_version: 'svc.list.v1', subject_type: 'business', rule: { kind: 'all' } },
    columns: [
      { name: 'Owner age', value_type: 'number' },
      { name: 'Owner', value_type: 'text' },
      { name: 'For sale', value_type: 'boolean' },
      { name: 'First call', value_type: 'date' },
    ],
  })
  return data
}

/** The cell of a member and the column with this position. */
async function freshCell(world: World, position = 0) {
  const list = await freshList(world)
  const column_id = String(list.columns[position]?.column_id)
  return { list_id: list.id, member_id: world.published_id, column_id, expected_version: list.version }
}

async function freshCells(world: World) {
  const list = await freshList(world)
  const [number, text, boolean, date] = list.columns.map(column => column.column_id)
  const member_id = world.published_id
  const values = [
    { member_id, column_id: String(number), value: { value_type: 'number', value: 61 } },
    { member_id, column_id: String(text), value: { value_type: 'text', value: 'Ann' } },
    { member_id, column_id: String(boolean), value: { value_type: 'boolean', value: false } },
    { member_id, column_id: String(date), value: { value_type: 'date', value: '2026-01-31' } },
  ] as const
  return { list_id: list.id, expected_version: list.version, values }
}

const age = { value_type: 'number', value: 61 }

export const samples = {
  set_list_entry_value: {
    input: async world => ({ ...(await freshCell(world)), value: age }),
    others: {
      'clearing an empty value': async world => ({ ...(await freshCell(world)), value: null }),
      'clearing a value': async world => {
        const { values, ...list } = await freshCells(world)
        const { data } = await world.us.setListEntryValues({ ...list, values: [...values] })
        const [{ member_id, column_id }] = values
        return { ...list, member_id, column_id, value: null, expected_version: data.version }
      },
      'a text': async world => ({
        ...(await freshCell(world, 1)),
        value: { value_type: 'text', value: 'Ann' },
      }),
    },
    readBack: false,
    roundTrips: 2,
  },
  set_list_entry_values: {
    input: freshCells,
    others: {
      'values that are set already': async world => {
        const { values, ...list } = await freshCells(world)
        const { data } = await world.us.setListEntryValues({ ...list, values: [...values] })
        return { ...list, values, expected_version: data.version }
      },
    },
    readBack: false,
  },
  list_list_entry_value_history: {
    input: async world => {
      const { values, ...list } = await freshCells(world)
      await world.us.setListEntryValues({ ...list, values: [...values] })
      const [{ member_id, column_id }] = values
      return { list_id: list.list_id, member_id, column_id, cursor: '9' }
    },
  },
} satisfies Samples
