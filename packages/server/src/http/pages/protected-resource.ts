import type { FastifyInstance } from 'fastify'
import { metadataPath } from '../well-known.ts'
import type { SignInClient } from '../../identity/sign-in-settings.ts'
import { serveDocument } from './serve-document.ts'

/** What a program needs to know to sign a person in. */
export interface SignIn {
  /** The issuers whose access tokens are trusted. */
  issuers: readonly string[]
  /** The public clients of those issuers that have one. */
  clients: readonly SignInClient[]
}

/** Serves the metadata of RFC 9728: whose tokens are trusted, and with which client a program signs a person in. */
export function addProtectedResource(
  server: FastifyInstance,
  { baseUrl, signIn }: { baseUrl(): string; signIn: SignIn },
): void {
  const body = () => {
    const base = baseUrl()
    return JSON.stringify({
      resource: base,
      resource_name: 'Workspace Business Service',
      resource_documentation: `${base}/docs`,
      authorization_servers: signIn.issuers,
      bearer_methods_supported: ['header'],
      sign_in: signIn.clients,
    })
  }
  serveDocument(server, metadataPath, {
    type: 'application/json; charset=utf-8',
    body,
    headers: { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' },
  })
}
