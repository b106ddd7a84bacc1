import type { Samples } from '../../operations/sample.ts'
import type { World } from '../../operations/world.ts'

/** An admin may revoke another person's key, but not change it. */
const onlyWhoseItIs = { admin: 403 }

export const samples = {
  list_api_keys: { input: () => ({}) },
  get_api_key: { input: async world => ({ key_id: await freshKey(world) }) },
  create_api_key: { input: () => ({ name: 'Nightly import', scopes: ['businesses:read'] }) },
  update_api_key: {
    input: async world => ({ key_id: await freshKey(world), expected_revision: 1, name: 'Weekly import' }),
    answers: onlyWhoseItIs,
  },
  rotate_api_key: {
    input: async world => ({ key_id: await freshKey(world), overlap_seconds: 60 }),
    answers: onlyWhoseItIs,
  },
  revoke_api_key: { input: async world => ({ key_id: await freshKey(world) }) },
} satisfies Samples

const freshKey = async ({ service, workspace_id, people }: World) =>
  (await service.apiKey(workspace_id, people.owner, ['businesses:read'])).key_id
