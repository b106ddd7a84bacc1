import { isLoopback } from '@wbs/server/identity/issuer-url'
import type { AccessFlags } from '../access-flags.ts'
import { defaultUrl, namedUrl, proxySettings } from '../config.ts'
import { checkCredential, checkIssuer } from './credential-checks.ts'
import type { Finding } from './finding.ts'
import { checkAccess, checkProfiles, checkTransport, checkVersions } from './local-checks.ts'
import { checkService } from './service-checks.ts'

/** All findings, from the versions to the credential. */
export async function examine(flags: AccessFlags): Promise<Finding[]> {
  const found = await checkAccess(flags)
  const access = 'check' in found ? null : found
  const url = access?.access.base_url ?? namedUrl(flags) ?? defaultUrl
  const service = await checkService(url, proxySettings(url))
  const findings = [
    ...checkVersions(),
    await checkProfiles(),
    ...checkTransport(url, isLoopback(new URL(url))),
    ...service,
  ]
  if (!access) return [...findings, found as Finding]
  const known = typeof access.credential === 'string' ? null : access.credential.known
  if (known?.credential.kind === 'session') findings.push(await checkIssuer(known.credential, known.url))
  // Without the service, its checks would only repeat that.
  return service.length > 1 ? [...findings, ...(await checkCredential(access))] : findings
}
