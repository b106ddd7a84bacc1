import { apiVersion } from '@wbs/contract/system'
import { oneLine } from '../one-line.ts'
import { reasonOf } from '../reason-of.ts'
import { ok, warning, wrong, type Finding } from './finding.ts'

const timeout = 15_000
/** The service accepts tokens whose times differ by as much from its clock. */
const tolerance = 30

/** How the network is reached. */
export interface ProxySettings {
  proxy: string | null
  isUsed: boolean
}

/** Checks that the service answers at its address, which version it has, and that the clocks agree. The first finding is about the address. */
export async function checkService(url: string, proxies: ProxySettings): Promise<Finding[]> {
  const start = performance.now()
  let response: Response
  let text: string
  try {
    response = await fetch(`${url.replace(/\/$/, '')}/health`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    text = await response.text()
  } catch (error) {
    return [unreachable(url, error, proxies)]
  }
  const health = healthIn(text)
  if (response.status !== 200 || health === null) return [notTheService(url, response)]
  const took = Math.round(performance.now() - start)
  const { status, schema_version } = health
  return [
    status === 'ok'
      ? ok('service', `${url} answers in ${took} ms${releaseOf(response)}.`)
      : warning('service', `${url} answers, and is ${oneLine(status)}.`, 'Ask whoever runs the service.'),
    versionFinding(oneLine(schema_version)),
    ...clockFinding(response.headers.get('date')),
  ]
}

/** Versions before 0.3.0 do not tell theirs. */
function releaseOf({ headers }: Response): string {
  const version = headers.get('svc-version')
  return version === null ? '' : `; its version is ${oneLine(version)}`
}

function healthIn(text: string): { status: string; schema_version: string } | null {
  try {
    const { status, schema_version } = JSON.parse(text) as Record<string, unknown>
    return typeof status === 'string' && typeof schema_version === 'string'
      ? { status, schema_version }
      : null
  } catch {
    return null
  }
}

function notTheService(url: string, { status, headers }: Response): Finding {
  const location = headers.get('location')
  if (location !== null)
    return wrong(
      'service',
      `${url} sends requests on to ${oneLine(location)}.`,
      'Use the address of the service itself: commands send credentials to no other address.',
    )
  return wrong(
    'service',
    `What answers at ${url} is not the service: its status is ${status}.`,
    'Check the address, and whether a proxy or the sign-in page of a network answers instead.',
  )
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/
const nameCodes = ['ENOTFOUND', 'EAI_AGAIN']

function unreachable(url: string, error: unknown, { proxy, isUsed }: ProxySettings): Finding {
  const code = codeOf(error)
  const message = `${url} cannot be reached: ${oneLine(reasonOf(error)).replace(/\.$/, '')}.`
  if (certificateCodes.test(code))
    return wrong(
      'service',
      message,
      'Its certificate is not trusted. If your network has an authority of its own, set NODE_EXTRA_CA_CERTS to its file.',
    )
  if (proxy !== null && !isUsed)
    return wrong(
      'service',
      message,
      `A proxy is set, ${proxy}, and wbs uses it only with NODE_USE_ENV_PROXY=1.`,
    )
  if (nameCodes.includes(code))
    return wrong(
      'service',
      message,
      'Check the address (--url, WBS_URL or the profile) and the DNS of your network.',
    )
  return wrong(
    'service',
    message,
    'Check the address (--url, WBS_URL or the profile), and that the service runs.',
  )
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

function versionFinding(version: string): Finding {
  if (version === apiVersion)
    return ok('version', `The service has the interface that wbs knows, ${version}.`)
  return warning(
    'version',
    `The service has the interface ${version}; wbs knows ${apiVersion}.`,
    'Use a wbs of the version of the service, or expect that some commands are refused.',
  )
}

/** The header has whole seconds. */
function clockFinding(date: string | null): Finding[] {
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return []
  const seconds = Math.round((Date.now() - theirs) / 1000)
  const apart = Math.abs(seconds)
  if (apart <= tolerance)
    return [ok('clock', `The clocks of this machine and of the service agree to ${apart} s.`)]
  return [
    wrong(
      'clock',
      `The clock of this machine is ${apart} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the service.`,
      'Set the clock: tokens are renewed too late or refused if it is wrong.',
    ),
  ]
}
