import type { FastifyRequest } from 'fastify'
import { principalOf } from '../../call/authority/caller.ts'
import { addressKey } from '../../limits/address.ts'
import type { Bodies, BodySender } from '../bounds/bodies.ts'
import { truncatedBody, payloadTooLarge } from '../answers/problem-json.ts'
import type { Release } from '../bounds/keyed-counter.ts'

const usualLimit = 2 * 1024 * 1024

/**
 * Reads the body of a request whose sender is known, within the limits of its operation and of `Bodies`. Throws payload_too_large, what
 * `Bodies` throws, and validation_error if the client disconnects. The rest of a refused body is not waited for; it is
 * discarded as it arrives.
 */
export async function readBody(request: FastifyRequest, bodies: Bodies): Promise<Buffer> {
  const { bodyLimit = usualLimit } = request.routeOptions.config as { bodyLimit?: number }
  const announced = Number(request.headers['content-length'])
  if (announced > bodyLimit) throw payloadTooLarge()
  const sender = senderOf(request)
  const held = bodies.buffer(sender)
  request.lifetime.onEnd(held.release)
  const body = collect()
  const take = (chunk: Buffer) => {
    const length = body.length() + chunk.length
    if (length > bodyLimit) throw payloadTooLarge()
    held.grow(length)
    body.add(chunk)
  }
  try {
    await arrival(request, take, () => bodies.begin(sender))
  } catch (error) {
    held.release()
    throw error
  }
  if (!Number.isNaN(announced) && announced !== body.length()) throw truncatedBody()
  return body.whole()
}

const senderOf = ({ ip, caller }: FastifyRequest): BodySender => ({
  address: addressKey(ip),
  principal: caller && principalOf(caller),
})

/**
 * Reads a body chunk by chunk. Most bodies arrive with their headers and are complete in this turn of the event loop;
 * `begin` is called for the others, and its result when the body has ended.
 */
async function arrival(
  { raw, lifetime }: FastifyRequest,
  take: (chunk: Buffer) => void,
  begin: () => Release,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const orRefuse = <T>(work: (what: T) => void) => {
    return (what: T) => {
      try {
        work(what)
      } catch (error) {
        reject(error)
      }
    }
  }
  let end: Release | undefined
  const late = setImmediate(orRefuse(() => void (end = begin())))
  const onData = orRefuse(take)
  const onEnd = () => resolve()
  let over = false
  const onGone = () => {
    if (!over) reject(truncatedBody())
  }
  raw.on('data', onData).on('end', onEnd).on('error', onGone)
  lifetime.onEnd(onGone)
  try {
    await promise
  } finally {
    over = true
    clearImmediate(late)
    end?.()
    raw.off('data', onData).off('end', onEnd).off('error', onGone)
  }
}

/** Collects bytes in one growing buffer, so that a body of many small chunks takes at most twice its size in memory. */
function collect() {
  let buffer: Buffer = Buffer.alloc(0)
  let length = 0
  return {
    length: () => length,
    add(chunk: Buffer) {
      const longer = length + chunk.length
      if (length === 0) buffer = chunk
      else {
        if (longer > buffer.length) buffer = copied(buffer, Math.max(longer, 2 * buffer.length))
        chunk.copy(buffer, length)
      }
      length = longer
    },
    whole: () => buffer.subarray(0, length),
  }
}

function copied(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  buffer.copy(larger)
  return larger
}
