import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'

export const samples = {
  list_team_members: { input: () => ({}) },
  get_team_member: { input: async world => ({ membership_id: await freshMember(world) }) },
  update_membership: {
    input: async world => ({
      membership_id: await freshMember(world),
      expected_revision: 1,
      role: 'member',
    }),
  },
  remove_membership: {
    input: async world => ({ membership_id: await freshMember(world) }),
    readBack: false,
  },
  leave_team: {
    input: () => ({}),
    caller: 'viewer',
    // The last owner cannot leave; an API key is not a member.
    answers: { owner: 409, key: 403, weak_key: 403 },
    replay: 'refused',
  },
  transfer_ownership: {
    input: async world => ({ membership_id: await freshMember(world), expected_revision: 1 }),
    // Only the owner, and in person.
    answers: { admin: 403, key: 403 },
  },
} satisfies Samples

const freshMember = ({ service, workspace_id }: World) =>
  service.join(workspace_id, service.person('Nora'), 'viewer')
