import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { DatabaseAddress } from '../../../src/database/connections/connection.ts'
import { splitter } from './messages.ts'

/** The error of a statement. `FATAL` also ends the session. */
export interface Failure {
  statement: string
  code: string
  severity: 'ERROR' | 'FATAL'
}

/** A server that speaks PostgreSQL's protocol, does nothing, and fails as it is told: so all errors can be tried everywhere. */
export interface FailingServer {
  address: DatabaseAddress
  fail(failure: Failure): void
  /** How often the failure has happened, and whether a COMMIT took effect since it was set. */
  seen(): { failures: number; committed: boolean }
  /** How many sessions there have been. */
  sessions(): number
  close(): Promise<void>
}

export async function startFailingServer(): Promise<FailingServer> {
  const state = { failure: null as Failure | null, failures: 0, committed: false }
  let sessions = 0
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, socket => {
    sessions++
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    serve(socket, state)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: { host: '127.0.0.1', port, user: 'anybody', database: 'nothing' },
    fail: failure => void Object.assign(state, { failure, failures: 0, committed: false }),
    sessions: () => sessions,
    seen: ({ failures, committed } = state) => ({ failures, committed }),
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Served {
  failure: Failure | null
  failures: number
  committed: boolean
}

/** One session. Like PostgreSQL, it skips what follows a failed statement up to the next Sync, and answers then. */
function serve(socket: Socket, state: Served): void {
  let transaction: 'I' | 'T' | 'E' = 'I'
  let isSkipping = false
  let bound = ''
  let answers: Buffer[] = []
  const answer = (type: string, ...parts: string[]) => {
    const body = Buffer.from(parts.map(part => `${part}\0`).join(''))
    answers.push(messageOf(type, body))
  }
  const flush = () => void (socket.write(Buffer.concat(answers)), (answers = []))
  const ready = () => {
    answers.push(messageOf('Z', Buffer.from(transaction)))
    flush()
  }

  function fail(code: string, severity: Failure['severity']): void {
    answer('E', `S${severity}`, `V${severity}`, `C${code}`, 'Mmade up', '')
    isSkipping = true
    if (transaction === 'T') transaction = bound === 'commit' ? 'I' : 'E'
    if (severity === 'ERROR') return
    flush()
    socket.end()
  }

  function execute(): void {
    const { failure } = state
    if (transaction === 'E' && bound !== 'commit') return fail('25P02', 'ERROR')
    if (transaction !== 'E' && failure?.statement === bound) {
      state.failures++
      return fail(failure.code, failure.severity)
    }
    const wasFailed = transaction === 'E'
    if (bound === 'begin') transaction = 'T'
    else if (bound === 'commit') transaction = 'I'
    if (bound === 'commit' && !wasFailed) state.committed = true
    answer(
      'C',
      bound === 'begin' ? 'BEGIN' : bound !== 'commit' ? 'SELECT 0' : wasFailed ? 'ROLLBACK' : 'COMMIT',
    )
  }

  const take: Record<string, (message: Buffer) => void> = {
    '': () => {
      answers.push(messageOf('R', Buffer.alloc(4)))
      ready()
    },
    P: () => answer('1'),
    B: message => {
      bound = message.toString('latin1', 6, message.indexOf(0, 6))
      answer('2')
    },
    D: () => answer('n'),
    E: execute,
    Q: () => {
      transaction = 'I'
      answer('C', 'ROLLBACK')
      ready()
    },
    X: () => socket.end(),
  }
  const messages = splitter(1, (type, message) => {
    if (socket.writableEnded) return
    if (type === 'S') {
      isSkipping = false
      ready()
    } else if (!isSkipping) take[type]?.(message)
  })
  socket.on('data', messages)
}

function messageOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
