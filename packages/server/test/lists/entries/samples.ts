import { addBusiness } from '../../harness/businesses.ts'
import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'
import { definitionOf } from '../list-fixture.ts'
import { insertOverride, insertValues } from './entry-values.ts'

/** A List with one member, which has a value. */
async function listWithMember({ service, workspace_id, people, us }: World) {
  const { data: list } = await us.createList({
    name: 'With a member',
    definition: definitionOf({ kind: 'none' }),
    columns: [{ name: 'Owner age', value_type: 'number' }],
  })
  const member_id = await addBusiness(service, { name: 'Harbor Air' })
  const listed = { workspace_id, list_id: list.id }
  await insertOverride(service, listed, { member_id, mode: 'include', by: people.owner })
  const column_id = String(list.columns[0]?.column_id)
  await insertValues(service, listed, [{ member_id, column_id, value_type: 'number', value: 61 }])
  return { list_id: list.id, member_id, column_id }
}

export const samples = {
  list_list_entries: {
    input: async world => ({ list_id: (await listWithMember(world)).list_id }),
    others: {
      'with a filter': async world => {
        const { list_id, column_id } = await listWithMember(world)
        return { list_id, filter: JSON.stringify({ column_id, operator: 'gt', value: 60 }) }
      },
      'sorted by a column': async world => {
        const { list_id, column_id } = await listWithMember(world)
        return { list_id, sort: `-${column_id}`, fields: ['status'], column_ids: [column_id] }
      },
    },
  },
  get_list_entry: {
    input: async world => {
      const { list_id, member_id } = await listWithMember(world)
      return { list_id, member_id }
    },
  },
} satisfies Samples
