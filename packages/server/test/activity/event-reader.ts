import type { Activity } from './activity-fixture.ts'

/** One block of a stream. */
export interface Block {
  id?: string
  data?: { id: string; type: string; room: { id: string } }
  comment?: string
}

/** A stream that a test reads. */
export interface EventReader {
  status: number
  headers: Headers
  /** The next block that is an event, or a comment if requested. */
  next(what?: 'data' | 'comment'): Promise<Block>
  /** All blocks so far. */
  blocks: Block[]
  /** Resolves when the service has ended the stream. */
  ended: Promise<void>
  close(): void
}

/** Opens a stream with the credentials of the headers. */
export async function openStream(
  { service, workspace_id }: Pick<Activity, 'service' | 'workspace_id'>,
  headers: Record<string, string>,
  search = '',
): Promise<EventReader> {
  const hangUp = new AbortController()
  const response = await fetch(`${service.base_url}/v1/events/stream${search}`, {
    headers: { accept: 'text/event-stream', 'svc-workspace-id': workspace_id, ...headers },
    signal: hangUp.signal,
  })
  const blocks: Block[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let taken = 0
  let wake = () => {}
  let over = false

  async function read(): Promise<void> {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
        blocks.push(blockOf(text.slice(0, at)))
        text = text.slice(at + 2)
      }
      wake()
    }
  }
  const finish = () => {
    over = true
    end()
    wake()
  }
  read().then(finish, finish)

  return {
    status: response.status,
    headers: response.headers,
    blocks,
    ended,
    close: () => hangUp.abort(),
    async next(what = 'data') {
      for (;;) {
        while (taken < blocks.length) {
          const block = blocks[taken++] as Block
          if (block[what] !== undefined) return block
        }
        if (over) throw new Error('The stream has ended.')
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        const timer = setTimeout(() => reject(new Error('Nothing came.')), 20_000)
        wake = resolve
        await promise.finally(() => clearTimeout(timer))
      }
    },
  }
}

function blockOf(text: string): Block {
  const block: Block = {}
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (name === '') block.comment = value
    if (name === 'id') block.id = value
    if (name === 'data') block.data = JSON.parse(value) as NonNullable<Block['data']>
  }
  return block
}
