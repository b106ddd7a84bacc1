import type { Samples } from '../../operations/sample.ts'
import type { Input } from '../../operations/wire.ts'
import type { World } from '../../operations/world.ts'
import { freshList, freshListVersion } from '../fresh-list.ts'

/** A column is read with its List, and each change answers the version of the List too. */
const readBack = false

export const samples = {
  create_list_column: {
    input: async world => ({ ...(await freshListVersion(world)), name: 'Called on', value_type: 'date' }),
    readBack,
    roundTrips: 2,
  },
  update_list_column: {
    input: async world => ({ ...(await firstColumn(world)), name: 'Age of the owner' }),
    others: { 'to another position': async world => ({ ...(await firstColumn(world)), position: 1 }) },
    readBack,
    roundTrips: 2,
  },
  archive_list_column: {
    input: firstColumn,
    others: { 'that is archived': archivedColumn },
    readBack,
    roundTrips: 2,
  },
  restore_list_column: { input: archivedColumn, readBack, roundTrips: 2 },
} satisfies Samples

/** The first of two columns of a new List. */
async function firstColumn(world: World): Promise<Input> {
  const { id, version, columns } = await freshList(world)
  return { list_id: id, column_id: columns[0]?.column_id, expected_version: version }
}

async function archivedColumn(world: World): Promise<Input> {
  const { id: list_id, version, columns } = await freshList(world)
  const column_id = String(columns[0]?.column_id)
  await world.service.sql('update list_columns set position = null, archived_at = now() where id = $1', [
    column_id,
  ])
  await world.service.sql('update list_columns set position = 0 where list_id = $1 and position = 1', [
    list_id,
  ])
  return { list_id, column_id, expected_version: version }
}
