import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** The traffic to PostgreSQL: the names of the statements of each round trip, in order. */
export type RoundTrips = string[][]

/** A proxy in front of PostgreSQL that records the round trips. */
export interface StatementCounter {
  port: number
  /** Gives what was sent since the last call. */
  take(): RoundTrips
  close(): Promise<void>
}

/**
 * Starts a proxy in front of PostgreSQL's socket. A round trip begins with what is sent when no answer is outstanding.
 * Answers are delayed by some milliseconds, so that everything sent without waiting is in the same round trip.
 * Statements of the jobs are not recorded.
 */
export async function countStatements(socketPath: string): Promise<StatementCounter> {
  const noted: RoundTrips = []
  const open = new Set<Socket>()
  const server = createServer(client => {
    const database = connect(socketPath)
    const session = followSession(noted)
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket.on('error', () => {}).on('close', () => other.destroy()))
    }
    client.on('data', (chunk: Buffer) => {
      session.sent(chunk)
      database.write(chunk)
    })
    database.on('data', (chunk: Buffer) => {
      setTimeout(() => {
        session.answered(chunk)
        if (!client.destroyed) client.write(chunk)
      }, 5)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    take: () => noted.splice(0),
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Reads both directions between one client and PostgreSQL. */
function followSession(noted: RoundTrips) {
  let ofJobs = false
  let trip: string[] = []
  let unanswered = 0
  let bound = ''
  const texts = new Map<string, string>()

  function note(statement: string): void {
    if (!ofJobs) trip.push(statement.trim().split('\n', 1)[0] ?? '')
  }

  function begin(): void {
    if (unanswered > 0 || trip.length > 0) return
    trip = []
    if (!ofJobs) noted.push(trip)
  }

  const sent = splitter(true, (type, body) => {
    if (type === '') ofJobs = body.includes('application_name\0wbs jobs\0')
    if (type === 'P' || type === 'B' || type === 'Q') begin()
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2)
    if (type === 'P') texts.set(first, second)
    if (type === 'B') bound = second || (texts.get('') ?? '')
    if (type === 'E') note(bound)
    if (type === 'Q') note(first)
    if (type === 'Q' || type === 'S') unanswered++
  })
  const answered = splitter(false, type => {
    if (type !== 'Z' || unanswered === 0) return
    unanswered--
    if (unanswered === 0) trip = []
  })
  return { sent, answered }
}

/** Splits a stream of PostgreSQL's protocol into messages. The first message of a client has no type. */
function splitter(isClient: boolean, message: (type: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let typeBytes = isClient ? 0 : 1
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= typeBytes + 4 && rest.length >= typeBytes + rest.readUInt32BE(typeBytes)) {
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      message(rest.toString('latin1', 0, typeBytes), rest.subarray(typeBytes + 4, end))
      rest = rest.subarray(end)
      typeBytes = 1
    }
  }
}
