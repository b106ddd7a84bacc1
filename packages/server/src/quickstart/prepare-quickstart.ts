import type { App } from '../app.ts'
import type { Database } from '../database/database.ts'
import type { DevelopmentProvider } from '../identity/development/provider.ts'
import { developmentNamespace, sampleUsers } from '../identity/development/sample-users.ts'
import { userId } from '../identity/user-id.ts'
import { lastSampleKey, type Quickstart } from './quickstart-file.ts'
import { sampleWorkspaces } from './sample-workspace.ts'

/**
 * The content of the quickstart file: the sample Workspaces, an API key, and for each sample user a new token, valid
 * for a day.
 */
export async function prepareQuickstart(of: {
  app: App
  database: Database
  provider: DevelopmentProvider
  dataDir: string
  base_url: string
}): Promise<Quickstart> {
  const { app, database, provider, base_url } = of
  const world = { database, createWorkspace: app.createWorkspace, now: () => new Date() }
  const samples = await sampleWorkspaces(world, await lastSampleKey(of.dataDir))
  const users = await Promise.all(
    sampleUsers.map(async user => [
      user.key,
      {
        user_id: userId(developmentNamespace, user.subject),
        email: user.email,
        name: user.name,
        access_token: await provider.mintAccessToken(user),
      },
    ]),
  )
  return {
    base_url,
    docs_url: `${base_url}/docs`,
    issuer: provider.issuer,
    ...samples,
    users: Object.fromEntries(users),
  }
}
