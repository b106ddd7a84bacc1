import type { FastifyReply } from 'fastify'

/** Adds names of request headers to the header Vary of an answer, which keeps those that it has. */
export function addVary(reply: FastifyReply, ...names: string[]): void {
  const known = String(reply.getHeader('vary') ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  const has = new Set(known.map(name => name.toLowerCase()))
  reply.header('vary', [...known, ...names.filter(name => !has.has(name.toLowerCase()))].join(', '))
}
