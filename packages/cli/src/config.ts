import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientSettings } from '@wbs/sdk'
import { CommandError } from './command-error.ts'

/** The address and the Workspace that the command names. */
export interface AccessFlags {
  url?: string
  workspace?: string
}

/** How a command reaches a running service: its settings of the client, with one credential and a Workspace. */
export type ServiceAccess = ClientSettings & { workspace_id: string }

/**
 * Reads how to reach the service: from the flags, from WBS_URL, WBS_WORKSPACE and WBS_TOKEN or WBS_API_KEY, and
 * otherwise from the quickstart file of a service for development. Throws CommandError.
 */
export async function readAccess(flags: AccessFlags): Promise<ServiceAccess> {
  const { WBS_URL, WBS_WORKSPACE, WBS_TOKEN, WBS_API_KEY, SVC_DATA_DIR } = process.env
  const url = checkUrl(flags.url || WBS_URL)
  const workspace_id = flags.workspace || WBS_WORKSPACE
  if (WBS_TOKEN && WBS_API_KEY) throw new CommandError('Set WBS_TOKEN or WBS_API_KEY, not both.')
  if (!WBS_TOKEN && !WBS_API_KEY)
    return quickstartAccess(join(SVC_DATA_DIR || '.data', 'quickstart.json'), url, workspace_id)
  if (!workspace_id) throw new CommandError('Name the Workspace by --workspace or WBS_WORKSPACE.')
  return {
    base_url: url ?? 'http://127.0.0.1:8080',
    workspace_id,
    ...(WBS_TOKEN ? { access_token: WBS_TOKEN } : { api_key: WBS_API_KEY as string }),
  }
}

function checkUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password !== '')
    throw new CommandError('--url or WBS_URL must be the address of the service: https://api.example.com.')
  return text
}

/** The key of the quickstart file is sent to no other service than its own. */
async function quickstartAccess(
  file: string,
  url: string | undefined,
  workspace_id: string | undefined,
): Promise<ServiceAccess> {
  const known = await readQuickstart(file)
  if (!known || (url && new URL(url).origin !== new URL(known.base_url).origin))
    throw new CommandError(
      'There is no credential: set WBS_TOKEN to an access token or WBS_API_KEY to an API key.',
    )
  return {
    base_url: url ?? known.base_url,
    workspace_id: workspace_id ?? known.workspace_id,
    api_key: known.api_key.secret,
  }
}

interface Quickstart {
  base_url: string
  workspace_id: string
  api_key: { secret: string }
}

async function readQuickstart(file: string): Promise<Quickstart | null> {
  try {
    const { base_url, workspace_id, api_key } = JSON.parse(
      await readFile(file, 'utf8'),
    ) as Partial<Quickstart>
    const isWhole = URL.canParse(base_url ?? '') && workspace_id && api_key?.secret
    return isWhole ? { base_url: base_url as string, workspace_id, api_key } : null
  } catch {
    return null
  }
}
