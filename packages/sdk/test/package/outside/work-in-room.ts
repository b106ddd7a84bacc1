import { createClient, isProblem, uploadFile, type ClientSettings } from '@wbs/sdk'

/** What the program saw. */
export interface Seen {
  found: string[]
  room_id: string
  problem: string
  phases: string[]
  sent_bytes: number[]
  text: string
  events: string[]
}

/** What a new user does first: search, open a Room, upload a File with progress, and follow the events of the Room. */
export async function workInRoom(settings: ClientSettings): Promise<Seen> {
  const { workspace } = await createClient(settings).createWorkspace({ name: 'Mill Creek Capital' })
  const client = createClient({ ...settings, workspace_id: workspace.id })

  const found: string[] = []
  for await (const business of client.searchBusinesses.each({ query: 'bakery', state: 'MA', limit: 1 })) {
    if (business.name !== undefined) found.push(business.name)
    if (found.length === 2) break
  }

  const { room } = await client.createRoom({ title: 'Sale of the bakery', business_id: undefined })
  const { room_id } = room

  const problem = await client.getRoom({ room_id: 'rom_00000000000000000000000000' }).then(
    () => 'none',
    (error: unknown) => (isProblem(error, 'not_found') ? error.problem.code : String(error)),
  )

  const events: string[] = []
  const { cursor } = await client.listEventChanges({ room_id })
  const following = (async () => {
    for await (const event of client.events.follow({ room_id, cursor })) {
      events.push(event.type)
      if (event.type === 'file.ready') return
    }
  })()

  const phases: string[] = []
  const sent_bytes: number[] = []
  const content = new TextEncoder().encode('The bakery on Main Street. '.repeat(400_000))
  const { file } = await uploadFile(client, content, {
    name: 'memo.txt',
    room_id,
    onProgress(progress) {
      if (phases.at(-1) !== progress.phase) phases.push(progress.phase)
      if (progress.phase === 'sending') sent_bytes.push(progress.sent_bytes)
    },
  })
  const range = { start: 0, end: 10 }
  const text = await (await client.downloadFile({ file_id: file.file_id }, { range })).text()
  await following
  return { found, room_id, problem, phases, sent_bytes, text, events }
}
