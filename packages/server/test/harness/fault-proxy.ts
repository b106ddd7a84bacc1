import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import type { DatabaseAddress } from '../../src/database/connection.ts'

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
  /** The message that the fault has struck: its type, and what a plain query says or a command's end. */
  struck(): string | null
  /** Lets nothing through any more, and says nothing of it. */
  freeze(): void
  /** Ends all connections, and refuses new ones until `mend`. */
  sever(): void
  mend(): void
  close(): Promise<void>
}

/** Puts itself between the tests of this process and their PostgreSQL. Only connections of the service's pools are touched. */
export async function startFaultProxy(): Promise<FaultProxy> {
  const upstream = JSON.parse(process.env.WBS_TEST_SERVER ?? '{}') as DatabaseAddress
  const pairs = new Set<readonly [Socket, Socket]>()
  let fault: Fault | null = null
  let passed = 0
  let victim: string | null = null
  let frozen = false
  let severed = false

  const server = createServer({ noDelay: true }, socket => {
    if (severed) {
      socket.destroy()
      return
    }
    const database = connect({ ...socketOf(upstream), noDelay: true })
    const pair = [socket, database] as const
    pairs.add(pair)
    const relay = relayed(socket, database)
    socket.on('data', chunk => !frozen && relay.fromService(chunk))
    database.on('data', chunk => !frozen && relay.fromDatabase(chunk))
    for (const [one, other] of [pair, [database, socket] as const]) {
      one.on('error', () => other.destroy())
      one.on('end', () => other.end())
      one.on('close', () => pairs.delete(pair) && other.destroySoon())
    }
  })

  function relayed(socket: Socket, database: Socket) {
    let judged = false
    let cut = false
    let ending = false
    let backend = 0
    const outbound = splitter(1, (type, message) => {
      if (type === '') judged = /wbs svc_(writer|reader)/.test(message.toString('latin1'))
      const how = judged && type !== '' ? counts('service', type, message)?.how : undefined
      if (cut) return
      if (how === 'lose') return lose()
      if (how === 'sever') return sever()
      if (how === 'terminate') return terminate()
      database.write(how === 'fail' ? failing(type) : message)
      if (how === 'lose answer') lose()
    })
    const inbound = splitter(0, (type, message) => {
      if (type === 'K') backend = message.readInt32BE(5)
      const how = judged ? counts('database', type, message)?.how : undefined
      if (how === 'sever') return sever()
      if (how) lose()
      if (!cut || ending) socket.write(message)
    })

    // What went to the server before the cut arrives there, as bytes on a network do.
    function lose(): void {
      cut = true
      socket.destroy()
      database.end()
    }

    function terminate(): void {
      cut = ending = true
      void endSession(upstream, backend)
    }
    return { fromService: outbound, fromDatabase: inbound }
  }

  function counts(from: Fault['from'], type: string, message: Buffer): Fault | null {
    if (victim !== null || fault?.from !== from) return null
    if (fault.how === 'fail' && type !== 'Q' && type !== 'E') return null
    const says =
      type === 'Q' || type === 'C' ? `${type} ${message.toString('latin1', 5, message.length - 1)}` : type
    if (fault.at !== ++passed && fault.at !== says) return null
    victim = says
    return fault
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const direct = process.env.WBS_TEST_SERVER
  const { user = new URL(upstream.connectionString ?? '').username } = upstream
  process.env.WBS_TEST_SERVER = JSON.stringify({
    connectionString: `postgresql://${user}@127.0.0.1:${port}/postgres`,
  })

  const sever = () => {
    severed = true
    for (const [socket, database] of pairs) {
      socket.destroy()
      database.destroy()
    }
  }
  return {
    arm(next) {
      fault = next
      passed = 0
      victim = null
    },
    struck: () => victim,
    freeze: () => void (frozen = true),
    sever,
    mend: () => void (severed = frozen = false),
    async close() {
      process.env.WBS_TEST_SERVER = direct
      sever()
      server.close()
      await once(server, 'close')
    },
  }
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
