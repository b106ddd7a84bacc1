import { createClient } from '../../packages/sdk/src/index.ts'

/** A Workspace that the load changes, with an API key for it: any node accepts the key. */
export interface LoadWorkspace {
  workspace_id: string
  key_id: string
  api_key: string
}

/** Creates so many Workspaces at one node, whose development identity issued the access token, each with an API key. */
export function makeWorkspaces(
  base_url: string,
  access_token: string,
  workspaces: number,
): Promise<LoadWorkspace[]> {
  return Promise.all(
    Array.from({ length: workspaces }, async (_, number) => {
      const person = createClient({ base_url, access_token })
      const { workspace } = await person.createWorkspace({ name: `Load ${number + 1}` })
      const { data, secret } = await person.createApiKey(
        { name: 'The load', scopes: [...scopes] },
        { workspace_id: workspace.id },
      )
      if (secret === null) throw new Error('The service showed no secret for a new API key.')
      return { workspace_id: workspace.id, key_id: data.key_id, api_key: secret }
    }),
  )
}

const scopes = [
  'businesses:read',
  'rooms:read',
  'rooms:write',
  'files:read',
  'files:write',
  'files:download',
  'events:read',
] as const
