import type { Command } from 'commander'
import { addAccessFlags } from '../access-flags.ts'
import { defaultUrl, namedUrl, proxySettings, type AccessFlags } from '../config.ts'
import { isLoopback } from '../sessions/trusted-url.ts'
import { checkCredential, checkIssuer } from './credential-checks.ts'
import type { Finding } from './finding.ts'
import { checkAccess, checkProfiles, checkTransport, checkVersions } from './local-checks.ts'
import { checkService } from './service-checks.ts'

interface DoctorFlags extends AccessFlags {
  json?: true
}

/** Adds `wbs doctor`. */
export function addDoctor(wbs: Command): void {
  addAccessFlags(wbs.command('doctor'))
    .description(
      'Check what commands need: versions, the address, the clock, the credential, the Workspace. It changes nothing but an expired session, which it renews.',
    )
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExit codes: 0 nothing is wrong, 1 something is.')
    .action(async ({ json, ...flags }: DoctorFlags) => {
      const findings = await examine(flags)
      console.log(json ? JSON.stringify(findings, null, 2) : findings.flatMap(linesOf).join('\n'))
      const count = findings.filter(({ status }) => status === 'wrong').length
      if (!json)
        console.log(
          count === 0
            ? '\nNothing is wrong.'
            : `\n${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`,
        )
      process.exitCode = count === 0 ? 0 : 1
    })
}

async function examine(flags: AccessFlags): Promise<Finding[]> {
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

function linesOf({ check, status, message, advice }: Finding): string[] {
  const line = `${status.padEnd(8)}${check.padEnd(13)}${message}`
  return advice === null ? [line] : [line, `${' '.repeat(21)}${advice}`]
}
