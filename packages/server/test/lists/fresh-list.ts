import type { Client } from '@wbs/sdk'
import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'

/** A new List of the owner, of which every Business is a member, with two columns. */
export async function freshList({ us }: World): Promise<Awaited<ReturnType<Client['createList']>>['data']> {
  const { data } = await us.createList({
    name: 'Candidates',
    definition: { schema_version: 'svc.list.v1', subject_type: 'business', rule: { kind: 'all' } },
    columns: [
      { name: 'Owner age', value_type: 'number' },
      { name: 'Notes', value_type: 'text' },
    ],
  })
  return data
}

/** The path of such a List, and its version for a change. */
export async function freshListVersion(world: World): Promise<Input> {
  const { id, version } = await freshList(world)
  return { list_id: id, expected_version: version }
}
