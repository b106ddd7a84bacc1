/** Which requests and jobs are traced, and where their spans are sent. */
export interface TracingSettings {
  /** The URL of the collector that takes spans as OTLP over HTTP, in JSON. */
  url: string
  /** Headers of each request to the collector. They may contain a credential. */
  headers: Readonly<Record<string, string>>
  sampler: SamplerSettings
  /** Whether requests that a trusted proxy passes on continue the trace that their header Traceparent names. */
  continues_traces: boolean
}

export interface SamplerSettings {
  /** The share of traces that are sampled, from 0 to 1. */
  ratio: number
  /** Whether a trace that is continued is sampled if it was sampled before. Otherwise the ratio decides. */
  follows_parent: boolean
}

/** The variables that the settings are read from, by OpenTelemetry's own names where there is one. */
export interface TracingVariables {
  OTEL_SDK_DISABLED?: string | undefined
  OTEL_TRACES_EXPORTER?: string | undefined
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_PROTOCOL?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_HEADERS?: string | undefined
  OTEL_TRACES_SAMPLER?: string | undefined
  OTEL_TRACES_SAMPLER_ARG?: string | undefined
  SVC_TRACEPARENT?: string | undefined
}

/** Reads the settings of traces; null if there is no endpoint. Throws an Error of one sentence, which has no credential in it. */
export function tracingSettings(env: TracingVariables): TracingSettings | null {
  const continues_traces = readTraceparent(env.SVC_TRACEPARENT)
  const sampler = readSampler(env.OTEL_TRACES_SAMPLER, env.OTEL_TRACES_SAMPLER_ARG)
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || readExporter(env) === 'none'
  const url = endpointOf(env)
  if (isOff || url === null) return null
  requireJson(env)
  return { url, headers: headersOf(env), sampler, continues_traces }
}

function readExporter({ OTEL_TRACES_EXPORTER: text }: TracingVariables): 'otlp' | 'none' {
  if (!text || text === 'otlp') return 'otlp'
  if (text === 'none') return 'none'
  throw new Error('OTEL_TRACES_EXPORTER must be otlp, or none for no traces.')
}

function endpointOf(env: TracingVariables): string | null {
  const own = readEndpoint('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
  const shared = readEndpoint('OTEL_EXPORTER_OTLP_ENDPOINT', env.OTEL_EXPORTER_OTLP_ENDPOINT)
  // By the specification, the endpoint of all signals is a base, and that of one signal is used as it is.
  return own?.href ?? (shared ? `${shared.href.replace(/\/+$/, '')}/v1/traces` : null)
}

function readEndpoint(name: string, text: string | undefined): URL | null {
  if (!text) return null
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(`${name} must be the http or https URL of a collector, such as http://127.0.0.1:4318.`)
  if (url.username !== '' || url.password !== '')
    throw new Error(`${name} must not contain a credential: set OTEL_EXPORTER_OTLP_HEADERS.`)
  return url
}

function requireJson(env: TracingVariables): void {
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (!protocol || protocol === 'http/json') return
  throw new Error(
    'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, which collectors take at their port for http/protobuf, usually 4318.',
  )
}

const headersOf = (env: TracingVariables): Record<string, string> => ({
  ...readHeaders('OTEL_EXPORTER_OTLP_HEADERS', env.OTEL_EXPORTER_OTLP_HEADERS),
  ...readHeaders('OTEL_EXPORTER_OTLP_TRACES_HEADERS', env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
})

/** Headers in the form of W3C baggage: `name=value`, separated by commas, with values percent-encoded. */
function readHeaders(name: string, text: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const item of (text ?? '').split(',')) {
    if (item.trim() === '') continue
    const [, key, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x20-\x7e]*?)\s*$/.exec(item) ?? []
    const decoded = value === undefined ? null : decode(value)
    if (key === undefined || decoded === null)
      throw new Error(
        `${name} must be headers of the form name=value, separated by commas, with values percent-encoded.`,
      )
    headers[key.toLowerCase()] = decoded
  }
  return headers
}

/** Null if it is no value of a header. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text)
    return /^[\x20-\x7e]*$/.test(decoded) ? decoded : null
  } catch {
    return null
  }
}

/** The samplers of OpenTelemetry's specification, with the ratio that each has by default. */
const samplers: Readonly<Record<string, { ratio: number | 'given'; follows_parent: boolean }>> = {
  always_on: { ratio: 1, follows_parent: false },
  always_off: { ratio: 0, follows_parent: false },
  traceidratio: { ratio: 'given', follows_parent: false },
  parentbased_always_on: { ratio: 1, follows_parent: true },
  parentbased_always_off: { ratio: 0, follows_parent: true },
  parentbased_traceidratio: { ratio: 'given', follows_parent: true },
}

function readSampler(name: string | undefined, argument: string | undefined): SamplerSettings {
  // What is not asked for should cost next to nothing.
  if (!name) return { ratio: 0.1, follows_parent: true }
  const known = samplers[name]
  if (!known) throw new Error(`OTEL_TRACES_SAMPLER must be one of ${Object.keys(samplers).join(', ')}.`)
  const { ratio, follows_parent } = known
  if (ratio !== 'given') return { ratio, follows_parent }
  if (argument && (!/^\d*\.?\d+$/.test(argument) || Number(argument) > 1))
    throw new Error('OTEL_TRACES_SAMPLER_ARG must be the share of requests to trace, a number from 0 to 1.')
  return { ratio: argument ? Number(argument) : 1, follows_parent }
}

function readTraceparent(text: string | undefined): boolean {
  if (!text || text === 'ignore') return false
  if (text === 'proxies') return true
  throw new Error(
    'SVC_TRACEPARENT must be ignore, or proxies to continue the traces of the proxies that SVC_TRUSTED_PROXIES names.',
  )
}
