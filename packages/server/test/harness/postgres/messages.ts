/** Splits a stream of PostgreSQL's protocol into messages. The first messages of a client have no type. */
export function splitter(
  untyped: number,
  take: (type: string, message: Buffer) => void,
): (chunk: Buffer) => void {
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
