/** Where metrics are served. */
export interface MetricsSettings {
  host: string
  /** 0 for any free port. */
  port: number
}

/**
 * Reads SVC_METRICS_PORT and SVC_METRICS_HOST; null without a port. `servicePort` is that of the service itself. Throws an
 * Error of one sentence.
 */
export function metricsSettings(
  { port, host }: { port: string | undefined; host: string | undefined },
  servicePort: number,
): MetricsSettings | null {
  if (!port) {
    if (host)
      throw new Error('SVC_METRICS_HOST needs SVC_METRICS_PORT: without a port, no metrics are served.')
    return null
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new Error('SVC_METRICS_PORT must be a number from 0 to 65535.')
  // Two services may both ask for any free port, and get different ones.
  if (Number(port) === servicePort && servicePort !== 0)
    throw new Error(
      `SVC_METRICS_PORT must differ from PORT, which is ${servicePort}: metrics have a port of their own, which only those who run the service should reach.`,
    )
  return { port: Number(port), host: host || '127.0.0.1' }
}
