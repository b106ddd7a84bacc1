import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'

/**
 * What befalls the n-th message between the service and its database, or the one that says so:
 * `lose` it, and the connection with it; `lose answer`: it arrives, and nothing comes back; `fail`: its statement is one
 * that cannot run; `terminate`: the server ends the session just before it; `sever`: the whole way is lost with it.
 */
export interface Fault {
  at: number | string
  from: 'service' | 'database'
  how: 'lose' | 'lose answer' | 'fail' | 'terminate' | 'sever'
}

/** A way to PostgreSQL on which things go wrong when a test says so. */
export interface FaultProxy {
  /** Counts from here, and strikes once. */
  arm(fault: Fault): void
  /** The message that the fault has struck: its type, and which statement it is of, or what a plain query or the end of a command says. */
  struck(): string | null
  /** How many round trips each change took that was committed since this was asked last. */
  roundTrips(): number[]
  /** Lets nothing through any more, and says nothing of it. */
  freeze(): void
  /** Ends all connections, and refuses new ones until `mend`. */
  sever(): void
  mend(): void
  close(): Promise<void>
}

/** Puts itself between the tests of this process and their PostgreSQL. Only connections of the service's pools are touched. */
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

/** Counts the messages since a fault was armed, and tells on which one it strikes. */
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

/** Hands on the messages of one connection, both ways, until a fault strikes it. */
function relay(socket: Socket, database: Socket, { counter, state, sever, upstream }: Way): void {
  let ofService = false
  let cut = false
  let ended = false
  let backend = 0
  let trips = 0
  let answered = false
  let isChange = false
  let bound = ''

  /** A message of the service's: its type, and the statement that it is of. */
  function saidByService(type: string, message: Buffer): string {
    if (type === 'Q') return `Q ${message.toString('latin1', 5, message.length - 1)}`
    if (type === 'B') bound = message.toString('latin1', 6, message.indexOf(0, 6))
    return 'BDES'.includes(type) ? `${type} ${bound}` : type
  }

  /** What is sent after an answer was there begins another round trip. */
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

  // What went to the server before the cut arrives there, as bytes on a network do.
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

/** Cuts a stream of PostgreSQL's protocol into messages. The first ones of a client have no type. */
function splitter(untyped: number, take: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return chunk => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = untyped > 0 ? 0 : 1
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (untyped > 0) untyped--
      take(head === 0 ? '' : String.fromCharCode(message[0] as number), message)
    }
  }
}

/** A query that fails, or the execution of what was never bound. */
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
