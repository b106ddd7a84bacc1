import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { uploadFile } from '../../packages/sdk/src/index.ts'
import type { LoadOptions } from './load.ts'
import { createRecorder } from './recorder.ts'
import type { CallFigures, FailedAttempt } from './records.ts'
import type { LoadWorkspace } from './workspaces.ts'

export interface TransfersReport {
  uploads: CallFigures
  downloads: CallFigures
  /** Contents that came back otherwise than they were sent. */
  damaged: number
  attempts: FailedAttempt[]
}

export interface Transfers {
  stop(): Promise<TransfersReport>
}

/** Starts clients, one in each Workspace, that upload a File of so many bytes in parts, download it and compare. */
export function startTransfers(
  base_url: string,
  workspaces: readonly LoadWorkspace[],
  bytes: number,
  { fetch, pause = 0 }: Pick<LoadOptions, 'fetch' | 'pause'> = {},
): Transfers {
  const uploads = createRecorder(fetch)
  const downloads = createRecorder(fetch)
  const begun = performance.now()
  const state = { damaged: 0, stopped: false }

  async function transfer({ workspace_id, api_key }: LoadWorkspace): Promise<void> {
    const settings = { base_url, api_key, workspace_id, attempts: 100 }
    const [sender, receiver] = [uploads.client(settings), downloads.client(settings)]
    const content = randomBytes(bytes)
    for (let number = 1; !state.stopped; number++) {
      content.writeUInt32LE(number)
      const sent = createHash('sha256').update(content).digest('hex')
      try {
        const { file } = await sender.call(client =>
          uploadFile(client, content, { name: `load-${number}.bin`, concurrency: 2 }),
        )
        const received = await receiver.call(async client =>
          sha256Of(await client.downloadFile({ file_id: file.file_id })),
        )
        if (received !== sent) state.damaged++
      } catch {
        // Counted by the recorder.
      }
      await sleep(pause)
    }
  }

  const clients = workspaces.map(transfer)
  return {
    async stop() {
      state.stopped = true
      await Promise.all(clients)
      const seconds = (performance.now() - begun) / 1000
      return {
        uploads: uploads.figures(seconds),
        downloads: downloads.figures(seconds),
        damaged: state.damaged,
        attempts: [...uploads.failed, ...downloads.failed].sort((a, b) => a.at - b.at),
      }
    },
  }
}

async function sha256Of({ body }: Response): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of body ?? []) hash.update(piece)
  return hash.digest('hex')
}
