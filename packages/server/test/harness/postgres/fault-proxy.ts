import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseAddress } from '../../../src/database/connections/connection.ts'
import { splitter } from './messages.ts'

/**
 * What happens to the n-th message between the service and its database, or to one with a given name. `lose`: the
 * message and its connection are lost. `lose answer`: it arrives, and its answer is lost. `fail`: its statement fails.
 * `terminate`: the server ends the session just before it. `sever`: all connections are lost.
 */
export interface Fault {
  at: number | string
  from: 'service' | 'database'
  how: 'lose' | 'lose answer' | 'fail' | 'terminate' | 'sever'
}

/** A proxy in front of PostgreSQL that injects faults. */
export interface FaultProxy {
  /** Arms a fault, which is injected once, and starts counting messages. */
  arm(fault: Fault): void
  /** The message that the fault hit: its type and statement, or the text of a plain query or command tag. */
  struck(): string | null
  /** The number of round trips of each change committed since the last call. */
  roundTrips(): number[]
  /** Silently stops passing anything on. */
  freeze(): void
  /** Ends all connections, and refuses new ones until `mend`. */
  sever(): void
  mend(): void
  close(): Promise<void>
}

/**
 * Puts a proxy between the tests of this process and their PostgreSQL. Only connections of the service's pools are
 * affected.
 */
export async function startFaultProxy(): Promise<FaultProxy> {
  const direct = process.env.WBS_TEST_SERVER ?? '{}'
  const upstream = JSON.parse(direct) as DatabaseAddress
  const counter = createCounter()
  const open = new Set<Socket>()
  const state = { frozen: false, severed: false, roundTrips: [] as number[] }

  const server = createServer({ noDelay: true }, socket => {
    if (state.severed) {
      socket.destroy()
      return
    }
    const database = connect({ ...socketOf(upstream), noDelay: true })
    joinEnds(socket, database, open)
    relay(socket, database, { counter, state, sever, upstream })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env.WBS_TEST_SERVER = JSON.stringify(addressThrough(server, upstream))

  function sever(): void {
    state.severed = true
    for (const socket of open) socket.destroy()
  }
  return {
    arm: counter.arm,
    struck: counter.struck,
    roundTrips: () => state.roundTrips.splice(0),
    freeze: () => void (state.frozen = true),
    sever,
    mend: () => void (state.severed = state.frozen = false),
    async close() {
      process.env.WBS_TEST_SERVER = direct
      sever()
      server.close()
      await once(server, 'close')
    },
  }
}

type Counter = ReturnType<typeof createCounter>

/** Counts the messages since a fault was armed, and tells which one it hits. */
function createCounter() {
  let fault: Fault | null = null
  let passed = 0
  let victim: string | null = null
  return {
    arm(next: Fault): void {
      fault = next
      passed = 0
      victim = null
    },
    struck: () => victim,
    strikes(from: Fault['from'], says: string): Fault['how'] | null {
      if (victim !== null || fault?.from !== from) return null
      if (fault.how === 'fail' && !/^[QE]/.test(says)) return null
      if (fault.at !== ++passed && fault.at !== says) return null
      victim = says
      return fault.how
    },
  }
}

interface Way {
  counter: Counter
  state: { frozen: boolean; roundTrips: number[] }
  sever(): void
  upstream: DatabaseAddress
}

/** Passes on the messages of one connection, in both directions, until a fault hits it. */
function relay(socket: Socket, database: Socket, { counter, state, sever, upstream }: Way): void {
  let ofService = false
  let cut = false
  let ended = false
  let backend = 0
  let trips = 0
  let answered = false
  let isChange = false
  let bound = ''

  /** A message of the service: its type and statement. */
  function saidByService(type: string, message: Buffer): string {
    if (type === 'Q') return `Q ${message.toString('latin1', 5, message.length - 1)}`
    if (type === 'B') bound = message.toString('latin1', 6, message.indexOf(0, 6))
    return 'BDES'.includes(type) ? `${type} ${bound}` : type
  }

  /** A message sent after an answer begins another round trip. */
  function count(says: string): void {
    if (says === 'B begin') [trips, isChange] = [1, false]
    else if (answered) trips++
    answered = false
    if (says === 'B command_claim') isChange = true
    if (says === 'S commit' && isChange) state.roundTrips.push(trips)
  }

  const fromService = splitter(1, (type, message) => {
    if (type === '') ofService = /wbs svc_(writer|reader)/.test(message.toString('latin1'))
    if (cut) return
    const says = saidByService(type, message)
    count(says)
    const how = ofService && type !== '' ? counter.strikes('service', says) : null
    if (how === 'lose') return lose()
    if (how === 'sever') return sever()
    if (how === 'terminate') return terminate()
    database.write(how === 'fail' ? failing(type) : message)
    if (how === 'lose answer') lose()
  })
  const fromDatabase = splitter(0, (type, message) => {
    answered = true
    if (type === 'K') backend = message.readInt32BE(5)
    const says = type === 'C' ? `C ${message.toString('latin1', 5, message.length - 1)}` : type
    const how = ofService ? counter.strikes('database', says) : null
    if (how === 'sever') return sever()
    if (how) lose()
    if (!cut || ended) socket.write(message)
  })
  socket.on('data', chunk => !state.frozen && fromService(chunk))
  database.on('data', chunk => !state.frozen && fromDatabase(chunk))

  // Bytes sent before the cut still arrive, as on a network.
  function lose(): void {
    cut = true
    socket.destroy()
    database.end()
  }
  function terminate(): void {
    cut = ended = true
    void endSession(upstream, backend)
  }
}

function joinEnds(socket: Socket, database: Socket, open: Set<Socket>): void {
  for (const [one, other] of [
    [socket, database],
    [database, socket],
  ] as const) {
    open.add(one)
    one.on('error', () => other.destroy())
    one.on('end', () => other.end())
    one.on('close', () => {
      open.delete(one)
      other.destroySoon()
    })
  }
}

function addressThrough(server: Server, { user, connectionString }: DatabaseAddress): DatabaseAddress {
  const { port } = server.address() as AddressInfo
  const login = user ?? new URL(connectionString ?? '').username
  return { connectionString: `postgresql://${login}@127.0.0.1:${port}/postgres` }
}

function socketOf({ connectionString, host, port }: DatabaseAddress) {
  if (connectionString === undefined) return { path: `${host}/.s.PGSQL.${port}` }
  const url = new URL(connectionString)
  return { host: url.hostname, port: Number(url.port || 5432) }
}

/** A query that fails, or the execution of an unbound portal. */
function failing(type: string): Buffer {
  const body = type === 'Q' ? Buffer.from('select 1 / 0\0') : Buffer.from('nothing\0\0\0\0\0')
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

async function endSession(address: DatabaseAddress, backend: number): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query('select pg_terminate_backend($1, 5000)', [backend])
  await client.end()
}
