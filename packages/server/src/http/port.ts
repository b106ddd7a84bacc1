import { createServer, type AddressInfo } from 'node:net'

/** The port cannot be listened on. The message says why in one sentence. */
export class PortError extends Error {}

/** The settings that say where to listen. */
const ofTheService = { host: 'HOST', port: 'PORT' }

/**
 * Checks, before anything else starts, that the port can be listened on, and finds a free one for 0. `settings` are the names
 * of the settings that say where. Throws PortError.
 */
export function claimPort(host: string, port: number, settings = ofTheService): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(new PortError(reasonOf(error, host, port, settings))),
    )
    probe.listen({ host, port }, () => {
      const { port: claimed } = probe.address() as AddressInfo
      probe.close(() => resolve(claimed))
    })
  })
}

function reasonOf(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  settings: typeof ofTheService,
): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use; set ${settings.port} to another one, or stop what uses it.`
  if (error.code === 'EACCES')
    return `Port ${port} on ${host} needs rights that this user does not have; set ${settings.port} to one above 1023.`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(error.code ?? ''))
    return `${settings.host} ${host} is not an address of this machine.`
  return `Port ${port} on ${host} cannot be listened on (${error.code ?? error.message}).`
}

/** The base URL by which this machine reaches a host and port. */
export function urlOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
