import { CommandError } from '../command-error.ts'

/** A sign-in at an issuer, which is renewed as long as there is a refresh token. */
export interface Session {
  kind: 'session'
  issuer: string
  client_id: string
  /** What each request for a token of the service has to contain besides, such as `resource`. */
  parameters: Readonly<Record<string, string>>
  access_token: string
  /** RFC 3339; null if the issuer did not say. */
  expires_at: string | null
  refresh_token: string | null
}

/** A token or a key that somebody made elsewhere. */
export type GivenCredential =
  | { kind: 'access_token'; access_token: string }
  | { kind: 'api_key'; api_key: string }

/** How a person reaches one service. */
export interface Profile {
  /** The credential is sent to no other service. */
  url: string
  /** Null if none was chosen. */
  workspace_id: string | null
  credential: Session | GivenCredential
}

/** All profiles by name, and the one that is used if none is named. */
export interface Profiles {
  current: string | null
  byName: Map<string, Profile>
}

/** Checks the name of a profile. Throws CommandError. */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name
  throw new CommandError(
    'The name of a profile has letters, digits, dots, hyphens and underscores, begins with a letter or digit, and has at most 64 characters.',
  )
}

/** The profiles that a file holds. Null if wbs did not write it. */
export function readProfiles(text: string): Profiles | null {
  try {
    const { version, current, profiles } = JSON.parse(text) as Record<string, unknown>
    if (version !== 1 || !isObject(profiles)) return null
    const entries = Object.entries(profiles)
    if (!entries.every((entry): entry is [string, Profile] => isProfile(entry[1]))) return null
    return { current: typeof current === 'string' ? current : null, byName: new Map(entries) }
  } catch {
    return null
  }
}

export const profilesText = ({ current, byName }: Profiles): string =>
  `${JSON.stringify({ version: 1, current, profiles: Object.fromEntries(byName) }, null, 2)}\n`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown) => value === null || isText(value)

function isProfile(value: unknown): value is Profile {
  if (!isObject(value) || !isText(value.url) || !URL.canParse(value.url)) return false
  return isTextOrNull(value.workspace_id) && isObject(value.credential) && isCredential(value.credential)
}

function isCredential(value: Record<string, unknown>): boolean {
  if (value.kind === 'api_key') return isText(value.api_key)
  if (value.kind === 'access_token') return isText(value.access_token)
  return (
    value.kind === 'session' &&
    [value.issuer, value.client_id, value.access_token].every(isText) &&
    isTextOrNull(value.expires_at) &&
    isTextOrNull(value.refresh_token) &&
    isObject(value.parameters) &&
    Object.values(value.parameters).every(isText)
  )
}
