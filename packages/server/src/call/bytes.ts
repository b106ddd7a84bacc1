import type { Readable } from 'node:stream'

/** Content to answer with, such as that of a file. */
export interface Bytes {
  size_bytes: number
  /** The SHA-256 of the whole content, in hexadecimal. */
  sha256: string
  /** The name of the file. It may be any text; the transport makes it safe. */
  name: string
  /** The media type as stored. The transport sends it only if nothing of that type can run in a browser. */
  content_type: string
  /**
   * Set if the service wrote the content itself, and escaped in it what users wrote. A page is then sent as text/html. It is
   * still saved and not displayed.
   */
  is_own?: true
  /**
   * Opens the whole content, or the bytes from `start` (included) to `end` (excluded). The transport destroys the stream
   * if the client disconnects, and breaks the answer off if the stream fails or has another number of bytes.
   */
  open(range: { start: number; end: number } | null): Promise<Readable>
  /**
   * Called before content is sent, once its first bytes are there: not by HEAD, nor where the content is refused or not needed.
   * Throws Problem if it may not be sent.
   */
  beforeSending?(): Promise<void>
}
