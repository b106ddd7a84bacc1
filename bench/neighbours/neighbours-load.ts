import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'

/**
 * The busy Workspace: readers that page its events and its list of Rooms, and writers that change a Room each, all
 * without a pause. POST /begin starts the load; POST /end stops it and reports how many requests were answered.
 */
const { base_url, access_token, workspace_id, rooms, readers } = JSON.parse(process.env.LOAD ?? '{}') as {
  base_url: string
  access_token: string
  workspace_id: string
  /** One for each writer. */
  rooms: { room_id: string; revision: number }[]
  readers: number
}

interface Answered {
  status: number
  body: { next_cursor?: string | null; page?: { cursor: string | null }; room?: { revision: number } }
}

let load: { stop: boolean; done: Promise<unknown>; counts: Record<'reads' | 'writes' | 'refused', number> }

const server = Fastify()
server.post('/begin', async () => {
  const counts = { reads: 0, writes: 0, refused: 0 }
  load = { stop: false, done: Promise.resolve(), counts }
  const agent = new Agent({ keepAlive: true })
  const all = [
    ...Array.from({ length: readers }, (_, i) => readOn(i % 2 === 0 ? eventsAfter : roomsAfter, agent)),
    ...rooms.map(room => changeOn(room, agent)),
  ]
  load.done = Promise.all(all).finally(() => agent.destroy())
  return {}
})
server.post('/end', async () => {
  load.stop = true
  await load.done
  return load.counts
})

const eventsAfter = (cursor: string) => `/v1/events?limit=100${cursor && `&after=${cursor}`}`
const roomsAfter = (cursor: string) => `/v1/rooms?limit=100${cursor && `&cursor=${cursor}`}`

async function readOn(pathAfter: (cursor: string) => string, agent: Agent): Promise<void> {
  let cursor = ''
  while (!load.stop) {
    const { status, body } = await exchange('GET', pathAfter(cursor), agent)
    if (await count('reads', status)) cursor = body.next_cursor ?? body.page?.cursor ?? ''
  }
}

async function changeOn(room: { room_id: string; revision: number }, agent: Agent): Promise<void> {
  while (!load.stop) {
    const change = { expected_revision: room.revision, title: `Title ${Math.random()}` }
    const { status, body } = await exchange('PATCH', `/v1/rooms/${room.room_id}`, agent, change)
    if (await count('writes', status)) room.revision = body.room?.revision ?? room.revision + 1
  }
}

/** Whether it succeeded. A refused request is soon retried; any other failure stops the run. */
async function count(kind: 'reads' | 'writes', status: number): Promise<boolean> {
  if (status === 200) load.counts[kind]++
  else if (status === 429 || status === 503) load.counts.refused++
  else throw new Error(`One of the ${kind} was answered with ${status}.`)
  if (status !== 200) await sleep(20)
  return status === 200
}

function exchange(method: string, path: string, agent: Agent, body?: object): Promise<Answered> {
  const headers = {
    authorization: `Bearer ${access_token}`,
    'svc-workspace-id': workspace_id,
    ...(body && { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(`${base_url}${path}`, { agent, method, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: JSON.parse(Buffer.concat(chunks).toString()) as Answered['body'],
        }),
      )
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
