/** A block of a stream of Server-Sent Events: what stands between two empty lines. */
export interface Block {
  /** The lines of data, joined. Undefined for a block of comments. */
  data?: string
  id?: string
  /** In milliseconds. */
  retry?: number
}

/**
 * Makes a reader of a stream of Server-Sent Events (HTML Living Standard, 9.2.6). It takes the bytes as they arrive and
 * gives the blocks that are complete. What is left at the end of the stream is not a block.
 */
export function createParser(): (bytes: Uint8Array) => Block[] {
  // Keeps the first bytes of a character until the others arrive, and removes a byte order mark.
  const decoder = new TextDecoder()
  let line = ''
  let block: Block = {}
  let endedWithReturn = false

  return bytes => {
    let text = decoder.decode(bytes, { stream: true })
    // The line was ended by the CR before this LF.
    if (endedWithReturn && text.startsWith('\n')) text = text.slice(1)
    if (bytes.length > 0) endedWithReturn = text.endsWith('\r')
    const lines = text.split(/\r\n|\n|\r/)
    lines[0] = line + lines[0]
    line = lines.pop() as string
    const blocks: Block[] = []
    for (const line of lines)
      if (line === '') {
        blocks.push(block)
        block = {}
      } else addLine(block, line)
    return blocks
  }
}

function addLine(block: Block, line: string): void {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as unknown as [string, string, string?]
  if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`
  if (name === 'id' && !value.includes('\0')) block.id = value
  if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value)
}
