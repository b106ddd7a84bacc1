import type { FastifyInstance } from 'fastify'
import type { LoggedAddresses } from '../../telemetry/log-settings.ts'
import { loggedAddress } from '../answers/logged-address.ts'
import type { ConnectionSettings } from './connection-bounds.ts'

/**
 * Says once, in the log, what to set where X-Forwarded-For comes from an address that is not a proxy's. Behind a proxy that is
 * not named, all clients share the limits of its address.
 */
export function noteUnnamedProxy(
  server: FastifyInstance,
  {
    log,
    isProxy = () => false,
    loggedAddresses = 'off',
  }: Pick<ConnectionSettings, 'log' | 'isProxy'> & { loggedAddresses?: LoggedAddresses },
): void {
  let isNoted = false
  server.addHook('onRequest', ({ headers, socket: { remoteAddress = '' } }, _reply, done) => {
    if (!isNoted && headers['x-forwarded-for'] !== undefined && !isProxy(remoteAddress)) {
      isNoted = true
      log.warn(
        { setting: 'SVC_TRUSTED_PROXIES', address: loggedAddress(loggedAddresses, remoteAddress) },
        'a request has X-Forwarded-For, which is ignored, because SVC_TRUSTED_PROXIES does not name the address that it comes from; if that is your proxy, name it there, or all its clients share the limits of its address',
      )
    }
    done()
  })
}
