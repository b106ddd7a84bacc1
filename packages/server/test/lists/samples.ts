import type { Samples } from '../operations/sample.ts'
import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'
import { freshList, freshListVersion } from './fresh-list.ts'

const rule = { kind: 'field', field: 'state', operator: 'eq', value: 'OH' }
const definition = { schema_version: 'svc.list.v1', subject_type: 'business', rule }

export const samples = {
  create_list: {
    input: () => ({ name: 'Candidates', definition }),
    others: {
      'with columns': () => ({ name: 'Grid', definition, columns: [{ name: 'Age', value_type: 'number' }] }),
    },
  },
  get_list: { input: async world => ({ list_id: (await freshList(world)).id }) },
  list_lists: { input: () => ({}) },
  update_list: {
    input: async world => ({ ...(await freshListVersion(world)), name: 'Bakeries in Ohio' }),
    others: {
      'to another rule': async world => ({ ...(await freshListVersion(world)), definition }),
      'without a change': async world => ({ ...(await freshListVersion(world)), name: 'Candidates' }),
    },
    roundTrips: 2,
  },
  archive_list: {
    input: freshListVersion,
    others: { 'that is archived': archivedList },
    roundTrips: 2,
  },
  restore_list: { input: archivedList, roundTrips: 2 },
} satisfies Samples

async function archivedList(world: World): Promise<Input> {
  const { id, version } = await freshList(world)
  await world.service.sql(
    `update lists set lifecycle_status = 'archived', archived_at = now() where id = $1`,
    [id],
  )
  return { list_id: id, expected_version: version }
}
