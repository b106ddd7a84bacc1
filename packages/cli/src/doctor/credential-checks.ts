import { createClient, type ResponseInfo } from '@wbs/sdk'
import { CommandError } from '../command-error.ts'
import type { FoundAccess, ServiceAccess } from '../config.ts'
import { chooseWorkspace, workspaceLine } from '../login/choose-workspace.ts'
import { personOf, type Me } from '../login/who.ts'
import { sourceOf } from '../login/who-am-i.ts'
import { oneLine } from '../one-line.ts'
import type { Session } from '../profiles/profile.ts'
import { connectIssuer } from '../sessions/issuer.ts'
import { failureInWords } from '../failure-in-words.ts'
import { ok, warning, wrong, type Finding } from './finding.ts'

/** Checks that the service accepts the credential, the Workspace, and how many requests are left. */
export async function checkCredential(found: FoundAccess): Promise<Finding[]> {
  const { workspace_id, ...access } = found.access
  try {
    const { answer, response } = await createClient({ ...access, attempts: 1 })
      .getMe()
      .withResponse()
    const { data } = answer
    const kind = data.credential.kind === 'api_key' ? 'an API key' : 'an access token'
    const who = `${personOf(data)}, by ${kind} (${sourceOf(found)})`
    return [
      ok('credential', `The service knows you as ${who}.`),
      await workspaceFinding(access, data, workspace_id),
      ...limitFinding(response),
    ]
  } catch (error) {
    const reason = error instanceof CommandError ? error.message : `It is refused: ${failureInWords(error)}.`
    return [wrong('credential', oneLine(reason), adviceFor(found))]
  }
}

function adviceFor({ credential, access }: FoundAccess): string {
  if (credential === 'environment')
    return 'Set WBS_TOKEN or WBS_API_KEY to a credential of this service, or unset it and use wbs login.'
  if (credential === 'quickstart')
    return 'Start the service that wrote the quickstart file, or sign in: wbs login.'
  return `Sign in again: wbs login --profile ${credential.profile} --url ${access.base_url}`
}

async function workspaceFinding(
  access: ServiceAccess,
  me: Me,
  workspace_id: string | undefined,
): Promise<Finding> {
  if (workspace_id === undefined)
    return warning(
      'workspace',
      'No Workspace is chosen.',
      'Most commands need one: --workspace, WBS_WORKSPACE or wbs login --workspace.',
    )
  try {
    await chooseWorkspace(access, me, workspace_id)
    const membership = me.memberships.find(membership => membership.workspace_id === workspace_id)
    return ok('workspace', membership ? workspaceLine(membership) : `${oneLine(workspace_id)}, as a guest`)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return wrong(
      'workspace',
      error.message,
      'Choose another one: --workspace, WBS_WORKSPACE or wbs login --workspace.',
    )
  }
}

/** A service without rate limits tells of none. */
function limitFinding({ rate_limits }: ResponseInfo): Finding[] {
  if (rate_limits.length === 0) return []
  const lines = rate_limits.map(
    ({ name, remaining, quota }) => `${remaining ?? '?'} of ${quota ?? '?'} (${oneLine(name)})`,
  )
  const isScarce = rate_limits.some(
    ({ remaining, quota }) => remaining !== null && remaining * 10 < (quota ?? 0),
  )
  const message = `Requests left: ${lines.join(', ')}.`
  return [
    isScarce
      ? warning('rate limits', message, 'Commands wait and try again; send fewer requests at once.')
      : ok('rate limits', message),
  ]
}

/** Checks that the issuer of a session answers, and that the session can be renewed. */
export async function checkIssuer(session: Session, url: string): Promise<Finding> {
  const { issuer, expires_at, refresh_token } = session
  try {
    await connectIssuer(session, url)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return wrong('issuer', error.message, 'The session cannot be renewed until it answers.')
  }
  const until = expires_at === null ? '' : ` The access token is valid until ${expires_at}.`
  const message = `${oneLine(issuer)} answers.${until}`
  return refresh_token === null
    ? warning(
        'issuer',
        `${message} There is no refresh token.`,
        'You sign in again after that, unless the issuer allows offline_access.',
      )
    : ok('issuer', message)
}
