import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** The TCP connection below TLS, which tells whether the other side has ended it. */
export class Wire extends Duplex {
  /** Whether the other side has ended the TCP connection. It is set before TLS learns of it. */
  hasEnded = false
  readonly #tcp: Socket

  constructor(tcp: Socket) {
    super()
    this.#tcp = tcp
    tcp
      .on('data', chunk => {
        if (!this.push(chunk)) tcp.pause()
      })
      .on('end', () => {
        this.hasEnded = true
        this.push(null)
      })
      .on('error', error => this.destroy(error))
      .on('close', () => this.destroy())
  }

  override _read(): void {
    this.#tcp.resume()
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#tcp.write(chunk, encoding, done)
  }

  override _final(done: () => void): void {
    this.#tcp.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#tcp.destroy()
    done(error)
  }
}
