import { newId } from '@wbs/contract/ids'
import type { OperationName } from '@wbs/contract/registry'
import { addBusiness } from './harness/businesses.ts'
import type { Person, TestService } from './harness/service.ts'
import type { Input } from './wire.ts'

/**
 * A small world in which every operation can succeed: Olivia's Workspace with a member of each role, and next to it
 * one of Sam's, which nobody of Olivia's knows of.
 */
export interface World {
  service: TestService
  workspace_id: string
  /** Another one of Olivia's, with nobody else in it. */
  second_workspace_id: string
  foreign_workspace_id: string
  people: Record<'owner' | 'admin' | 'member' | 'viewer' | 'removed' | 'outsider', Person>
  anonymous: Person
  sam: Person
  published_id: string
  /** Not published, and linked to Sam's Workspace alone. */
  foreign_draft_id: string
}

/** Input with which each operation succeeds, for those who may. A new operation gets a line here. */
export const samples: Record<OperationName, (world: World) => Input> = {
  health: () => ({}),
  ready: () => ({}),
  search_businesses: () => ({ query: 'harbor' }),
  get_business: ({ published_id }) => ({ business_id: published_id }),
  list_workspace_businesses: ({ workspace_id }) => ({ workspace_id }),
  create_workspace: () => ({ name: 'One more' }),
  list_workspaces: () => ({}),
  get_workspace: ({ workspace_id }) => ({ workspace_id }),
  get_me: () => ({}),
}

/**
 * For each operation that takes an id: input that names what is not there, and the same input naming what is there and
 * hidden from the caller (Olivia). Nobody may be able to tell the two answers apart. A new operation that takes an id
 * gets a line here.
 */
export const hidden: Partial<Record<OperationName, (world: World) => { absent: Input; invisible: Input }>> = {
  get_business: ({ foreign_draft_id }) => ({
    absent: { business_id: newId('biz') },
    invisible: { business_id: foreign_draft_id },
  }),
  list_workspace_businesses: ({ foreign_workspace_id }) => ({
    absent: { workspace_id: crypto.randomUUID() },
    invisible: { workspace_id: foreign_workspace_id },
  }),
  get_workspace: ({ foreign_workspace_id }) => ({
    absent: { workspace_id: crypto.randomUUID() },
    invisible: { workspace_id: foreign_workspace_id },
  }),
}

export async function makeWorld(service: TestService): Promise<World> {
  const [owner, admin, member, viewer, removed, outsider, sam] = [
    'Olivia',
    'Adam',
    'Mia',
    'Viktor',
    'Rita',
    'Otto',
    'Sam',
  ].map(name => service.person(name)) as [Person, Person, Person, Person, Person, Person, Person]
  const workspace_id = await service.workspace('Harbor', owner, { admin, member, viewer })
  // One role takes one person only, so Rita comes as a second member and leaves again.
  const rita = await service.workspace('Away', sam, { member: removed })
  await service.sql(
    `update memberships set workspace_id = $1, status = 'removed' where workspace_id = $2 and user_id = $3`,
    [workspace_id, rita, removed.user_id],
  )
  const second_workspace_id = await service.workspace('Second', owner)
  const foreign_workspace_id = await service.workspace('Elsewhere', sam)
  const published_id = await addBusiness(service, {
    name: 'Harbor Bakery',
    state: 'MA',
    city: 'Boston',
    naics_code: '311811',
  })
  const foreign_draft_id = await addBusiness(service, { name: 'Harbor Secret', publication_status: 'draft' })
  const linked_id = await addBusiness(service, { name: 'Harbor Draft', publication_status: 'draft' })
  await service.link(workspace_id, published_id, owner)
  await service.link(workspace_id, linked_id, owner)
  await service.link(foreign_workspace_id, foreign_draft_id, sam)
  return {
    service,
    workspace_id,
    second_workspace_id,
    foreign_workspace_id,
    people: { owner, admin, member, viewer, removed, outsider },
    anonymous: service.person('Guest', { is_anonymous: true }),
    sam,
    published_id,
    foreign_draft_id,
  }
}
