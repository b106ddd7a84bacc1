import { createServer, type AddressInfo } from 'node:net'

/** The port cannot be listened on. The message says why in one sentence. */
export class PortError extends Error {}

/** Checks, before anything else starts, that the port can be listened on, and finds a free one for 0. Throws PortError. */
export function claimPort(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => reject(new PortError(reasonOf(error, host, port))))
    probe.listen({ host, port }, () => {
      const { port: claimed } = probe.address() as AddressInfo
      probe.close(() => resolve(claimed))
    })
  })
}

function reasonOf(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use; set PORT to another one, or stop what uses it.`
  if (error.code === 'EACCES')
    return `Port ${port} on ${host} needs rights that this user does not have; set PORT to one above 1023.`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(error.code ?? ''))
    return `HOST ${host} is not an address of this machine.`
  return `Port ${port} on ${host} cannot be listened on (${error.code ?? error.message}).`
}

/** The base URL by which this machine reaches a host and port. */
export function urlOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
