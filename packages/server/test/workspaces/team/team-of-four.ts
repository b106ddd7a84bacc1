import type { Role } from '@wbs/contract/scopes'
import type { Person, TestService } from '../../harness/service.ts'

/** A Workspace with one member of each role, and the ids of their memberships. */
export interface TeamOfFour {
  workspace_id: string
  people: Record<Role, Person>
  ids: Record<Role, string>
}

export async function teamOfFour(service: TestService): Promise<TeamOfFour> {
  const person = (role: Role) => service.person(role)
  const people = {
    owner: person('owner'),
    admin: person('admin'),
    member: person('member'),
    viewer: person('viewer'),
  }
  const { owner, ...others } = people
  const workspace_id = await service.workspace('Harbor Street Partners', owner, others)
  const { data } = await owner.client.listTeamMembers({}, { workspace_id })
  return {
    workspace_id,
    people,
    ids: Object.fromEntries(data.map(({ role, id }) => [role, id])) as TeamOfFour['ids'],
  }
}
