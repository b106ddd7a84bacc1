import type { Samples } from '../operations/sample.ts'
import type { Input } from '../operations/wire.ts'
import type { World } from '../operations/world.ts'

export const samples = {
  create_workspace: { input: () => ({ name: 'Harbor Street Partners' }) },
  list_workspaces: { input: () => ({}) },
  get_workspace: { input: ({ workspace_id }) => ({ workspace_id }) },
  update_workspace: {
    input: async world => ({
      ...(await workspaceNow(world)),
      metadata: { crm_account: crypto.randomUUID() },
    }),
  },
  close_workspace: {
    input: workspaceNow,
    // Only the owner, and in person.
    answers: { admin: 403, key: 403 },
    replay: 'refused',
  },
} satisfies Samples

async function workspaceNow({ service, workspace_id }: World): Promise<Input> {
  const [row] = await service.sql('select revision from workspaces where id = $1', [workspace_id])
  return { workspace_id, expected_revision: row?.['revision'] }
}
