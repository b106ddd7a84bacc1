/** Where clamd listens. */
export type ClamdAddress = { path: string } | { host: string; port: number }

const form = 'unix:/run/clamav/clamd.ctl, or clamav.example.com:3310'

/** Reads CLAMD_ADDRESS; null means that nothing is scanned for malware. Throws an Error of one sentence. */
export function clamdAddress(text: string | null): ClamdAddress | null {
  if (text === null) return null
  const path = /^unix:(\/[^\0]*[^\0/])$/.exec(text)?.[1]
  if (path !== undefined) return { path }
  const [, ipv6, name, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? []
  const host = ipv6 ?? name
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535)
    throw new Error(`CLAMD_ADDRESS must be a socket, or a host and a port: ${form}.`)
  return { host, port }
}
