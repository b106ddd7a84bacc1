import { addBusiness } from '../harness/businesses.ts'
import type { World } from '../operations/world.ts'

/** A Business that the owner's Workspace may edit and publish. */
export async function freshBusiness(
  { service, workspace_id, people }: World,
  publication_status: 'draft' | 'published' = 'draft',
): Promise<string> {
  const id = await addBusiness(service, { name: 'Quay', publication_status })
  await service.link(workspace_id, id, people.owner, 'full_access')
  return id
}
