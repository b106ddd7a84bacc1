import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A message that a mail server received: its envelope and content. */
export interface TakenMail {
  from: string
  to: string[]
  credentials: string | null
  source: string
  email: Email
}

/** A mail server on this machine that can stop, restart, and refuse. */
export interface TestMailServer {
  port: number
  taken: TakenMail[]
  /** The number of connections so far. */
  connections: number
  /** The answer to a message instead of accepting it. */
  refusal: { status: number; text: string } | null
  /** Delays every message until the promise is settled. */
  hold: Promise<void> | null
  stop(): Promise<void>
  /** On the same port as before. */
  start(): Promise<void>
}

export async function startMailServer(): Promise<TestMailServer> {
  let server: SMTPServer
  const self: TestMailServer = {
    port: 0,
    taken: [],
    connections: 0,
    refusal: null,
    hold: null,
    stop: () => new Promise(resolve => server.close(resolve)),
    async start() {
      server = create(self)
      server.listen(self.port, '127.0.0.1')
      await once(server.server, 'listening')
      self.port = (server.server.address() as AddressInfo).port
    },
  }
  await self.start()
  return self
}

function create(self: TestMailServer): SMTPServer {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      self.connections++
      done()
    },
    onAuth: ({ username, password }, _session, done) => done(null, { user: `${username}:${password}` }),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const take = async () => {
          await self.hold
          if (self.refusal)
            throw Object.assign(new Error(self.refusal.text), { responseCode: self.refusal.status })
          const source = Buffer.concat(chunks).toString()
          const { mailFrom, rcptTo } = session.envelope
          self.taken.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            credentials: session.user ? String(session.user) : null,
            source,
            email: await PostalMime.parse(source),
          })
        }
        take().then(
          () => done(),
          (error: Error) => done(error),
        )
      })
    },
  })
  // Clients that are disconnected when the server stops.
  server.on('error', () => undefined)
  return server
}
