import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient, type Client } from '../../packages/sdk/src/index.ts'
import { median, rounded } from '../quantiles.ts'
import type { FilesBench } from './files-bench.ts'
import { makeLargeFile, type LargeFile } from './large-file.ts'
import { startNginx } from './nginx.ts'
import { probeDuring, type Probed } from './probe.ts'
import { uploadFile } from './upload-file.ts'

const run = promisify(execFile)
const tell = (line: string) => console.error(`# ${line}`)

/** One transfer of the whole file. */
interface Transfer {
  seconds: number
  probed?: Probed
  /** How long its steps took, and the processor time of the service. */
  steps?: Record<string, number>
}

/** Who transfers the file in a round, in this order; every second round in reverse. */
type Contenders = Record<string, () => Promise<Transfer>>

/**
 * Uploads and downloads a file of `--mib`, in turns with `cp` followed by `sync` of the same file, and with nginx. Small
 * requests, one every 10 ms, show whether the service answers meanwhile.
 */
export async function measureTransfers({ service, folder, rounds, mib }: FilesBench): Promise<object> {
  const { base_url, owner } = service
  const { access_token } = owner
  const { workspace } = await createClient({ base_url, access_token }).createWorkspace({ name: 'Bench' })
  const client = createClient({ base_url, access_token, workspace_id: workspace.id })
  tell(`writing a file of ${mib} MiB`)
  const file = await makeLargeFile(join(folder, 'large'), mib)
  const nginx = await startNginx(folder)
  try {
    const health = `${base_url}/health`
    const headers = { authorization: `Bearer ${access_token}`, 'svc-workspace-id': workspace.id }
    const uploaded: string[] = []
    const contenders: Contenders = {
      async upload() {
        const before = service.processorTime()
        const { result, ...probed } = await probeDuring(health, () => uploadFile(client, base_url, file))
        const processor_seconds = (service.processorTime() - before) / 1000
        uploaded.push(result.file_id)
        await whenReady(client, result)
        return { ...result, probed, steps: { ...result.steps, processor_seconds } }
      },
      cp_and_sync: () => timed(() => copyAndSync(file.path, join(folder, 'copy'))),
      async download() {
        const url = `${base_url}/v1/files/${uploaded.at(-1)}/download`
        const before = service.processorTime()
        const { result, ...probed } = await probeDuring(health, () =>
          timed(() => fetchWhole(url, file, headers)),
        )
        return { ...result, probed, steps: { processor_seconds: (service.processorTime() - before) / 1000 } }
      },
      ...(nginx && { nginx: () => timed(() => fetchWhole(`${nginx.base_url}/large`, file)) }),
    }
    const idle = await probeDuring(health, () => sleep(3000))
    const measured = await inTurns(contenders, rounds, () => copyAndSync(file.path, join(folder, 'copy')))
    const peak_mib = service.memory().peak
    return {
      mib,
      rounds,
      peak_mib,
      ...summary(measured, mib),
      ...(!nginx && { nginx: 'not measured: there is no nginx on this machine' }),
      small_requests_idle: shownProbe(idle),
      neighbours: await besideUploads(client, base_url, file, health),
    }
  } finally {
    await nginx?.stop()
  }
}

/** Runs everybody in each round. What one has written is on the disk before the next begins. */
async function inTurns(contenders: Contenders, rounds: number, warmUp: () => Promise<unknown>) {
  await warmUp()
  const measured: Record<string, Transfer>[] = []
  for (let round = 1; round <= rounds; round++) {
    const taken: Record<string, Transfer> = {}
    for (const [name, transfer] of Object.entries(contenders)) {
      await run('sync')
      taken[name] = await transfer()
      tell(
        `round ${round}: ${name} took ${taken[name].seconds.toFixed(2)} s ${JSON.stringify(taken[name].steps ?? '')}`,
      )
    }
    measured.push(taken)
  }
  return measured
}

function summary(measured: readonly Record<string, Transfer>[], mib: number) {
  const of = (name: string) => measured.flatMap(round => round[name] ?? [])
  const figure = (name: string) => {
    const taken = of(name)
    const seconds = median(taken.map(transfer => transfer.seconds))
    const steps = Object.keys(taken[0]?.steps ?? {})
    return {
      seconds: rounded(seconds),
      mib_per_second: Math.round(mib / seconds),
      ...Object.fromEntries(
        steps.map(step => [step, rounded(median(taken.map(transfer => transfer.steps?.[step] ?? 0)))]),
      ),
      ...(taken[0]?.probed && {
        small_requests: shownProbe({
          took: taken.flatMap(transfer => transfer.probed?.took ?? []),
        }),
      }),
    }
  }
  const ratio = (ours: string, other: string) => {
    const ratios = measured.map(round => (round[other]?.seconds ?? 0) / (round[ours]?.seconds ?? 1))
    return { median: rounded(median(ratios)), worst: rounded(Math.min(...ratios)) }
  }
  const hasNginx = of('nginx').length > 0
  return {
    upload: figure('upload'),
    cp_and_sync: figure('cp_and_sync'),
    upload_of_cp_and_sync: ratio('upload', 'cp_and_sync'),
    download: figure('download'),
    ...(hasNginx && { nginx: figure('nginx'), download_of_nginx: ratio('download', 'nginx') }),
  }
}

const shownProbe = ({ took }: Probed) => ({
  requests: took.length,
  p50_ms: rounded(quantileOf(took, 0.5), 1),
  p99_ms: rounded(quantileOf(took, 0.99), 1),
  longest_ms: rounded(Math.max(...took), 1),
})

const quantileOf = (took: readonly number[], share: number) =>
  took.toSorted((a, b) => a - b)[Math.floor(took.length * share)] ?? Number.NaN

/** Small requests while four files are uploaded at once. */
async function besideUploads(client: Client, base_url: string, file: LargeFile, health: string) {
  const uploads = 4
  const quarter = { ...file, size_bytes: Math.floor(file.size_bytes / uploads) }
  const head = { ...quarter, sha256: await sha256OfHead(quarter) }
  const probed = await probeDuring(health, () =>
    Promise.all(Array.from({ length: uploads }, () => uploadFile(client, base_url, head))),
  )
  return { uploads, seconds: rounded(probed.seconds), small_requests: shownProbe(probed) }
}

async function sha256OfHead({ path, size_bytes }: LargeFile): Promise<string> {
  const { createReadStream } = await import('node:fs')
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { end: size_bytes - 1 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function timed(work: () => Promise<unknown>): Promise<Transfer> {
  const begun = performance.now()
  await work()
  return { seconds: (performance.now() - begun) / 1000 }
}

/** What a program must do that keeps a file as durably as the service: `sync` of the copy and of its folder. */
async function copyAndSync(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  const begun = `cp "$1" "$2" && sync "$2" "$(dirname "$2")"`
  await run('sh', ['-c', begun, 'sh', from, to])
}

/** Reads an answer to its end with curl, and throws unless it has the size of the file. */
async function fetchWhole(url: string, { size_bytes }: LargeFile, headers: Record<string, string> = {}) {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('curl', [
    '-sS',
    '--fail',
    '-o',
    '/dev/null',
    '-w',
    '%{size_download}',
    ...lines,
    url,
  ])
  if (Number(stdout) !== size_bytes) throw new Error(`${url} sent ${stdout} bytes.`)
}

/** Waits until a version is processed, so that its processing does not slow what follows. */
async function whenReady(client: Client, version: { file_id: string; file_version_id: string }) {
  for (;;) {
    const { data } = await client.getFileVersion({
      file_id: version.file_id,
      file_version_id: version.file_version_id,
    })
    if (data.processing_status === 'ready') return
    if (data.processing_status === 'failed') throw new Error(`The version failed: ${data.processing_error}.`)
    await sleep(200)
  }
}
