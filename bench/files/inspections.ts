import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { createClient, type Client } from '../../packages/sdk/src/index.ts'
import { quantile, rounded } from '../quantiles.ts'
import type { FilesBench } from './files-bench.ts'

const attackersWorkspaces = 10
const documents = 60
const pauseMilliseconds = 1000

/** Ordinary documents, one a second in Workspaces of their own, beside a person who fills ten with PDFs that never end. */
export async function measureInspections({ service, folder }: FilesBench): Promise<object> {
  const { users } = JSON.parse(await readFile(join(folder, 'quickstart.json'), 'utf8')) as {
    users: Record<string, { access_token: string }>
  }
  const [ordinary, attacker] = Object.values(users).map(({ access_token }) => access_token) as [
    string,
    string,
  ]
  const { base_url } = service
  const clientsOf = (access_token: string, workspaces: number) =>
    Promise.all(
      Array.from({ length: workspaces }, async (_, at) => {
        const { workspace } = await createClient({ base_url, access_token }).createWorkspace({
          name: `Bench ${at}`,
        })
        return createClient({ base_url, access_token, workspace_id: workspace.id })
      }),
    )
  const [us, them] = await Promise.all([clientsOf(ordinary, 10), clientsOf(attacker, attackersWorkspaces)])
  const ending = new AbortController()
  let sent = 0
  const attacks = them.map(async client => {
    while (!ending.signal.aborted) {
      await upload(client, endlessPdf())
      sent++
      await sleep(2000)
    }
  })
  await sleep(pauseMilliseconds)
  const waits: Promise<number>[] = []
  for (let at = 0; at < documents; at++) {
    waits.push(secondsUntilReady(us[at % us.length] as Client))
    await sleep(pauseMilliseconds)
  }
  const seconds = await Promise.all(waits)
  ending.abort()
  await Promise.all(attacks)
  return {
    attacker: { workspaces: attackersWorkspaces, documents: sent },
    ordinary: {
      documents,
      p50_seconds: rounded(quantile(seconds, 0.5)),
      p99_seconds: rounded(quantile(seconds, 0.99)),
      worst_seconds: rounded(Math.max(...seconds)),
    },
  }
}

async function secondsUntilReady(client: Client): Promise<number> {
  const begun = performance.now()
  const of = await upload(client, pdfOf(deflateSync(`BT (${randomBytes(8).toString('hex')}) Tj ET`), 1))
  for (;;) {
    const { data } = await client.getFileVersion(of)
    if (data.processing_status === 'ready') return (performance.now() - begun) / 1000
    if (data.processing_status === 'failed') throw new Error(`It failed: ${data.processing_error}.`)
    await sleep(50)
  }
}

async function upload(client: Client, content: Buffer) {
  const { file, new_version, upload } = await client.createFileUpload({
    name: 'Accounts.pdf',
    content_type: 'application/pdf',
    size_bytes: content.length,
  })
  const { upload_id } = upload
  const { parts } = await client.createPartUrls({ upload_id, part_numbers: [1] })
  const [part] = parts
  if (!part) throw new Error('There is no URL for the part.')
  const answer = await fetch(part.url, { method: 'PUT', body: new Uint8Array(content) })
  if (!answer.ok) throw new Error(`The part was answered with ${answer.status}.`)
  await client.completeUpload({ upload_id })
  return { file_id: file.file_id, file_version_id: new_version.file_version_id }
}

/** A few KiB that show millions of texts, many times over. */
const endlessPdf = () =>
  pdfOf(deflateSync(`BT ${`(${randomBytes(2).toString('hex')}) Tj `.repeat(300_000)} ET`), 300)

/** A PDF of one page, whose drawing is repeated. */
function pdfOf(drawing: Buffer, times: number): Buffer {
  const begin = Buffer.from(`%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /Font << >> >> /Contents [${'4 0 R '.repeat(times)}] >> endobj
4 0 obj << /Length ${drawing.length} /Filter /FlateDecode >> stream
`)
  return Buffer.concat([
    begin,
    drawing,
    Buffer.from('\nendstream endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  ])
}
