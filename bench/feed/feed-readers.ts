import { connect, type Socket } from 'node:net'

/**
 * Reads streams in a process of its own, as cheaply as possible: it searches the received bytes for the times of
 * events, and parses nothing else. Commands and reports use the channel to its parent.
 */
export type ReadersAsked =
  | { what: 'open'; port: number; path: string; headers: string[] }
  | { what: 'begin' }
  | { what: 'report' }
  | { what: 'close' }

export interface ReadersReport {
  /** Of all streams since the last `begin`. */
  deliveries: number
  /** Of the stream with the fewest events. */
  fewest: number
  bytes: number
  /** A histogram of the milliseconds from the start of a change to its event in a stream. */
  delays: number[]
  /** When the last event arrived, in milliseconds since 1970. */
  last: number
  broken: number
}

const label = '"occurred_at":"'
const momentLength = '2026-01-01T00:00:00.000Z'.length
/** How many connections are opened at a time. */
const openedAtOnce = 20

interface Stream {
  socket: Socket
  seen: number
}

let streams: Stream[] = []
let report = nothingYet()

function nothingYet(): ReadersReport {
  return { deliveries: 0, fewest: 0, bytes: 0, delays: [], last: 0, broken: 0 }
}

/** Many streams receive the same event, so its time is parsed once. */
let parsed = { text: '', at: 0 }
function momentOf(text: string): number {
  if (parsed.text !== text) parsed = { text, at: Date.parse(text) }
  return parsed.at
}

function open(port: number, path: string, header: string): Promise<void> {
  // Some hundreds of connections per address, because connections per address are limited.
  const localAddress = `127.0.0.${2 + (streams.length % 8)}`
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  const stream = { socket, seen: 0 }
  streams.push(stream)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${header}\r\n\r\n`)
  return new Promise((resolve, reject) => {
    let rest = ''
    let isOpen = false
    socket.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('latin1')
      const now = Date.now()
      report.bytes += chunk.length
      let from = 0
      for (let at = text.indexOf(label); at >= 0; at = text.indexOf(label, from)) {
        const end = at + label.length + momentLength
        if (end > text.length) break
        const delay = Math.max(0, now - momentOf(text.slice(at + label.length, end)))
        report.delays[delay] = (report.delays[delay] ?? 0) + 1
        report.deliveries++
        report.last = now
        stream.seen++
        from = end
      }
      rest = text.slice(Math.max(from, text.length - label.length - momentLength))
      if (isOpen) return
      isOpen = true
      if (text.startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(`A stream was answered: ${text.slice(0, 300)}`))
    })
    socket.on('error', reject)
    socket.on('close', () => {
      if (streams.includes(stream)) report.broken++
    })
  })
}

async function openAll({ port, path, headers }: ReadersAsked & { what: 'open' }): Promise<void> {
  const left = [...headers]
  const next = async (): Promise<void> => {
    for (let header = left.pop(); header !== undefined; header = left.pop()) await open(port, path, header)
  }
  await Promise.all(Array.from({ length: openedAtOnce }, next))
}

process.on('message', (asked: ReadersAsked) => {
  answer(asked).catch((error: unknown) => {
    console.error(error)
    process.exit(1)
  })
})
process.on('disconnect', () => process.exit(0))

async function answer(asked: ReadersAsked): Promise<void> {
  if (asked.what === 'open') await openAll(asked)
  if (asked.what === 'begin') {
    report = nothingYet()
    for (const stream of streams) stream.seen = 0
  }
  if (asked.what === 'close') {
    const closing = streams
    streams = []
    for (const { socket } of closing) socket.destroy()
  }
  const fewest = streams.reduce((least, { seen }) => Math.min(least, seen), Infinity)
  process.send?.({ ...report, delays: Array.from(report.delays, count => count ?? 0), fewest })
}
