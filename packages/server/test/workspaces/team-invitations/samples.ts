import { insertInvitations } from '../../harness/invitations.ts'
import type { Samples } from '../../operations/sample.ts'
import type { Input } from '../../operations/wire.ts'
import type { World } from '../../operations/world.ts'

export const samples = {
  list_team_invitations: { input: () => ({}) },
  create_team_invitation: {
    input: () => ({ email: `zoe-${crypto.randomUUID().slice(0, 8)}@example.com`, role: 'viewer' }),
  },
  get_team_invitation: { input: freshInvitation },
  resend_team_invitation: { input: freshInvitation },
  revoke_team_invitation: { input: freshInvitation },
} satisfies Samples

/** A new invitation by the owner to the team. */
async function freshInvitation({ service, workspace_id, people }: World): Promise<Input> {
  const email = `zoe-${crypto.randomUUID().slice(0, 8)}@example.com`
  const [invitation] = await insertInvitations(service, workspace_id, people.owner, [{ email }])
  return { invitation_id: invitation?.id }
}
