import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { prepared, together, type Values } from '../floor-queries.ts'
import { valuationsStatements } from './valuations-floor-sql.ts'

/**
 * The floor of creating and running a valuation: a bare Fastify route that claims the Idempotency-Key, locks standing, and
 * saves document, result, calculation, receipt, stored answer and two events,
 * in two round trips. What it saves and answers has the bytes of the service's. It authenticates, validates and computes nothing.
 */
const { address, user_id, connections, sample } = JSON.parse(process.env.FLOOR ?? '{}') as {
  address: pg.ClientConfig
  user_id: string
  connections: number
  /** A file with an answer of the service, and with what it stored. */
  sample: string
}
const { answer, result, calculation } = JSON.parse(readFileSync(sample, 'utf8')) as {
  answer: { data: { conclusion: object } }
  result: object
  calculation: object
}
const pool = new pg.Pool({ ...address, pipeline: true, max: connections })

const { claim, locks, standing, settle } = valuationsStatements
const opening = [
  () => 'begin isolation level read committed',
  prepared(claim, 'floor_claim'),
  prepared(locks, 'floor_locks'),
  prepared(standing, 'floor_standing'),
]
const closing = [prepared(settle, 'floor_settle'), () => 'commit']

const actor = JSON.stringify({
  type: 'person',
  user_id,
  name: 'Olivia Bennett',
  via: { kind: 'app', name: 'Development client', client_id: randomUUID() },
})

async function createValuation(request: FastifyRequest) {
  const values: Values = {
    ...(request.params as { workspace: string }),
    user: user_id,
    id: `val_${randomUUID().replaceAll('-', '')}`,
    principal: `user:${user_id}`,
    fingerprint: createHash('sha256')
      .update(request.url + JSON.stringify(request.body))
      .digest(),
    key: request.headers['idempotency-key'],
    command: randomUUID(),
    receipt: randomUUID(),
    event: `evt_${randomUUID()}`,
    now: new Date().toISOString(),
    actor,
  }
  const client = await pool.connect()
  try {
    const [, claimed, , member] = await together(client, opening, values)
    if (claimed?.rowCount !== 1) throw new Error('The key was used before.')
    if (member?.rows[0]?.status !== 'active') throw new Error('The caller has no standing here.')
    const settled = {
      ...values,
      document: JSON.stringify(request.body),
      conclusion: JSON.stringify(answer.data.conclusion),
      result: JSON.stringify(result),
      calculation: JSON.stringify(calculation),
      answer: JSON.stringify(answer),
    }
    const [, ended] = await together(client, closing, settled)
    if (ended?.command !== 'COMMIT') throw new Error('The change was rolled back.')
    return answer
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const server = Fastify()
server.route({ method: 'POST', url: '/:workspace/valuations', handler: createValuation })
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
