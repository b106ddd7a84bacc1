import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { ClamdAddress } from './inspection-settings.ts'

/** The scanner did not give a verdict. A later attempt may succeed. */
export class ScannerFault extends Error {
  override name = 'ScannerFault'
}

export interface ScannerTimeouts {
  /** For the connection, and for each chunk that the scanner takes. */
  silence_ms: number
  /** For the verdict, once all content is sent. */
  verdict_ms: number
}

const defaultTimeouts: ScannerTimeouts = { silence_ms: 30_000, verdict_ms: 300_000 }
const chunkBytes = 256 * 1024
const longestReply = 4096

/**
 * Has clamd scan a content (INSTREAM), and gives the name of the malware that was found, or null. Throws ScannerFault if
 * clamd cannot be reached or gives no verdict, which includes content above its StreamMaxLength; throws what the content
 * throws.
 */
export async function scan(
  address: ClamdAddress,
  content: Readable,
  signal: AbortSignal,
  timeouts: ScannerTimeouts = defaultTimeouts,
): Promise<string | null> {
  signal.throwIfAborted()
  const socket = connect(address)
  content.on('error', () => {}) // Reading it throws the error; it may also fail before it is read.
  const stop = () => {
    socket.destroy(signal.reason as Error)
    content.destroy(signal.reason as Error)
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const reply = readReply(socket)
    reply.catch(() => {}) // It is awaited below, after content that may fail first.
    await send(socket, content, timeouts.silence_ms)
    silenceAfter(socket, timeouts.verdict_ms)
    return verdictOf(await reply)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
    content.destroy()
  }
}

/** Resolves with everything that clamd says until it closes the connection. */
function readReply(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let fault: NodeJS.ErrnoException | null = null
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.length > longestReply) socket.destroy(new Error('its reply has no end'))
    })
    socket.on('error', error => (fault = error))
    // A reply counts even after an error: clamd answers and closes while content is still being sent.
    socket.on('close', () => {
      if (text.endsWith('\0')) return resolve(text.slice(0, -1))
      reject(
        new ScannerFault(
          `The malware scanner gave no verdict: ${fault?.message ?? 'it closed the connection'}.${isCutOff(fault) ? hintOfCut : ''}`,
        ),
      )
    })
  })
}

/** The reply about a limit is lost if the connection is reset while content is still being sent. */
const isCutOff = (fault: NodeJS.ErrnoException | null) =>
  fault?.code === 'EPIPE' || fault?.code === 'ECONNRESET'
const hintOfCut = ' It closes the connection if content is larger than StreamMaxLength in clamd.conf.'

function silenceAfter(socket: Socket, ms: number): void {
  socket.removeAllListeners('timeout')
  socket.setTimeout(ms, () => socket.destroy(new Error(`it was silent for ${ms} ms`)))
}

async function send(socket: Socket, content: Readable, silenceMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => socket.once('close', resolve))
  const write = async (bytes: Buffer | string) => {
    if (socket.destroyed || socket.write(bytes)) return
    silenceAfter(socket, silenceMs) // Only while clamd is waited for: slow content is not its fault.
    await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    socket.setTimeout(0)
  }
  silenceAfter(socket, silenceMs)
  await Promise.race([once(socket, 'connect').catch(() => {}), closed])
  socket.setTimeout(0)
  await write('zINSTREAM\0')
  for await (const chunk of content as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; at += chunkBytes)
      await write(framed(chunk.subarray(at, at + chunkBytes)))
    if (socket.destroyed || socket.readableLength > 0) break
  }
  await write(Buffer.alloc(4))
}

function framed(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(chunk.length)
  return Buffer.concat([length, chunk])
}

function verdictOf(reply: string): string | null {
  if (reply === 'stream: OK') return null
  const malware = /^stream: (.+) FOUND$/.exec(reply)?.[1]
  if (malware !== undefined) return malware
  if (/size limit exceeded/i.test(reply))
    throw new ScannerFault(
      'The content is larger than the malware scanner accepts: raise StreamMaxLength in clamd.conf to the largest upload.',
    )
  throw new ScannerFault(`The malware scanner gave no verdict: ${JSON.stringify(reply.slice(0, 200))}.`)
}
