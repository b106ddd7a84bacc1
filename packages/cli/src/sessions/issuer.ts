import { isLoopback } from '@wbs/server/identity/issuer-url'
import type * as OpenId from 'openid-client'
import { CommandError } from '../command-error.ts'
import { oneLine } from '../one-line.ts'
import { reasonOf } from '../reason-of.ts'
import { isTrustedUrl } from './trusted-url.ts'

/** An issuer whose metadata was read, for a client without a secret. */
export interface Issuer {
  oidc: typeof OpenId
  config: OpenId.Configuration
}

/** A sign-in or a session at an issuer has failed. `code` is the error of OAuth, if the issuer said one. */
export class IssuerError extends CommandError {
  readonly code: string | null

  constructor(message: string, code: string | null) {
    super(message)
    this.code = code
  }
}

const timeout = 15 // seconds, for each request

/**
 * Reads the metadata of an issuer that the service at `url` trusts. Throws IssuerError if it cannot be reached, and for
 * addresses to which nothing secret may be sent.
 */
export async function connectIssuer(
  { issuer, client_id }: { issuer: string; client_id: string },
  url: string,
): Promise<Issuer> {
  if (!isTrustedUrl(issuer, url)) throw untrusted(issuer, issuer)
  // Loaded only here, because most commands do not need it.
  const oidc = await import('openid-client')
  const config = await askIssuer(issuer, () =>
    oidc.discovery(new URL(issuer), client_id, undefined, oidc.None(), {
      timeout,
      execute: isLoopback(new URL(issuer)) ? [oidc.allowInsecureRequests] : [],
    }),
  )
  for (const [name, value] of Object.entries(config.serverMetadata()))
    if (name.endsWith('_endpoint') && !isTrustedUrl(value, issuer))
      throw untrusted(issuer, typeof value === 'string' ? value : name)
  return { oidc, config }
}

/** Runs requests to an issuer. Throws IssuerError without what the issuer answered, which can hold tokens. */
export async function askIssuer<T>(issuer: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { code, reason } = inWords(error)
    throw new IssuerError(
      `The issuer ${oneLine(issuer)} ${code === null ? 'cannot be used:' : 'says'} ${reason}.`,
      code,
    )
  }
}

function inWords(error: unknown): { code: string | null; reason: string } {
  if (!(error instanceof Error)) return { code: null, reason: oneLine(String(error)) }
  const { error: code, error_description: description } = error as {
    error?: unknown
    error_description?: unknown
  }
  if (typeof code === 'string') {
    const more = typeof description === 'string' ? `: ${description.slice(0, 300).replace(/\.$/, '')}` : ''
    return { code, reason: oneLine(`${code.slice(0, 100)}${more}`) }
  }
  const cause = error.cause instanceof Error && error.cause.name !== 'Error' ? error.cause : error
  return { code: null, reason: oneLine(reasonOf(cause)).replace(/\.$/, '') }
}

const untrusted = (issuer: string, url: string) =>
  new IssuerError(
    `wbs does not sign you in at ${oneLine(issuer)}: ${oneLine(url)} is neither https nor on this machine like the service.`,
    null,
  )
