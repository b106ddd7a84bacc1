import { createClient, type ClientSettings, type GetMeAnswer } from '@wbs/sdk'
import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { failureInWords } from '../failure-in-words.ts'

export type Me = GetMeAnswer['data']
export type Membership = Me['memberships'][number]

/** Asks the service whose the credential is. Throws CommandError. */
export async function askWho(access: ClientSettings): Promise<Me> {
  try {
    return (await createClient(access).getMe()).data
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${access.base_url} does not say who you are: ${failureInWords(error)}.`)
  }
}

/** The person in one line. */
export function personOf({ user }: Me): string {
  const { name, email, user_id } = user
  if (user.is_anonymous) return `anonymous visitor ${oneLine(user_id)}`
  return oneLine([name, email === null ? null : `<${email}>`].filter(Boolean).join(' ')) || oneLine(user_id)
}

/** The memberships that can be used now. */
export const activeMemberships = ({ memberships }: Me): Membership[] =>
  memberships.filter(membership => membership.status === 'active' && membership.workspace_status === 'active')
