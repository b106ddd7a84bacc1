// Runs on Node 20, bundled: uses everything that the client has of its own, and prints what came of it.
import { createClient, uploadFile } from '@wbs/sdk'

// What Node 20.0 does not have yet.
const later: [object, string][] = [
  [AbortSignal, 'any'],
  [Promise, 'withResolvers'],
  [Promise, 'try'],
  [Array, 'fromAsync'],
]
for (const [owner, name] of later) Reflect.deleteProperty(owner, name)

const [events_url = '', files_url = ''] = process.argv.slice(2)
const client = createClient({ base_url: events_url, access_token: 'token', timeout: 5000 })
const { response } = await client.health({}, { signal: new AbortController().signal }).withResponse()
const listed: string[] = []
for await (const event of client.listEvents.each()) listed.push(event.id)
const followed: string[] = []
for await (const event of client.events.follow({ cursor: '5' })) {
  followed.push(event.id)
  if (followed.length === 2) break
}
const phases = new Set<string>()
const sent: number[] = []
const { version } = await uploadFile(
  createClient({ base_url: files_url, access_token: 'token' }),
  new Uint8Array(300_000),
  {
    name: 'plan.pdf',
    signal: new AbortController().signal,
    onProgress({ phase, sent_bytes }) {
      phases.add(phase)
      sent.push(sent_bytes)
    },
  },
)
const isMonotone = sent.every((bytes, i) => i === 0 || bytes >= (sent[i - 1] ?? 0))
process.stdout.write(
  JSON.stringify({
    status: response.status,
    listed,
    followed,
    phases: [...phases],
    processing_status: version.processing_status,
    isMonotone,
    last: sent.at(-1),
  }),
)
