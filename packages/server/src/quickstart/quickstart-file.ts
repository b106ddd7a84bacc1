import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { SampleKey } from './sample-workspace.ts'

/**
 * What a newcomer needs to try the service out. Written at each start with the development identity, readable by its
 * owner alone.
 */
export interface Quickstart {
  base_url: string
  docs_url: string
  issuer: string
  workspace_id: string
  other_workspace_id: string
  users: Record<string, { user_id: string; email: string; name: string; access_token: string }>
  api_key: SampleKey
}

const pathIn = (dataDir: string) => join(dataDir, 'quickstart.json')

export async function writeQuickstart(dataDir: string, quickstart: Quickstart): Promise<string> {
  const path = pathIn(dataDir)
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(`${JSON.stringify(quickstart, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  return path
}

/** The API key of the previous start, if the file is still there and valid. */
export async function lastSampleKey(dataDir: string): Promise<SampleKey | null> {
  try {
    const { api_key } = JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as Partial<Quickstart>
    return typeof api_key?.key_id === 'string' &&
      typeof api_key.secret === 'string' &&
      Array.isArray(api_key.scopes)
      ? api_key
      : null
  } catch {
    return null
  }
}
