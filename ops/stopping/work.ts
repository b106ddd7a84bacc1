import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, ClientSettings } from '../../packages/sdk/src/index.ts'
import { bakery } from '../../packages/server/test/valuations/valuation-document.ts'
import { createRecorder, type RecordedClient } from '../load/recorder.ts'
import type { CallFigures, FailedAttempt } from '../load/records.ts'

/** What was made with a key, which is in its name, its subject or its note. */
export interface Made {
  key: string
  id: string
}

export interface WorkReport {
  texts: Made[]
  valuations: Made[]
  /** Actions that the service answered to be approved. */
  actions: Made[]
  figures: CallFigures
  attempts: FailedAttempt[]
  /** Calls of which no attempt succeeded. */
  unanswered: string[]
}

/** Text Files, valuations and approved actions of an app, made by one person until they are told to stop. */
export interface Work {
  done(): number
  stop(): Promise<WorkReport>
}

/** The connection whose actions are requested. */
export interface SharedApp {
  room_id: string
  connection_id: string
}

export function startWork(settings: ClientSettings, app: SharedApp, send: typeof fetch, pause: number): Work {
  const recorder = createRecorder(send)
  const begun = performance.now()
  const made = { texts: [] as Made[], valuations: [] as Made[], actions: [] as Made[] }
  const unanswered: string[] = []
  const state = { stopped: false }

  async function repeat(list: Made[], make: (client: RecordedClient, key: string) => Promise<string>) {
    const client = recorder.client(settings)
    while (!state.stopped) {
      const key = randomUUID()
      try {
        list.push({ key, id: await make(client, key) })
      } catch (error) {
        unanswered.push(`${key}: ${String(error)}`)
      }
      await sleep(pause)
    }
  }

  const workers = [
    repeat(made.texts, async ({ call }, key) => {
      const content = `# Notes\n\n${key}`
      const { file } = await call(client =>
        client.createTextFile({ name: `${key}.md`, content }, { idempotency_key: key }),
      )
      return file.file_id
    }),
    repeat(made.valuations, async ({ call }, key) => {
      const document = bakery({ subject: { type: 'business', name: key }, run: true })
      const { data } = await call(client => client.createValuation(document, { idempotency_key: key }))
      return data.valuation_id
    }),
    // Each waits for its action, so that so many at most are under way.
    ...Array.from({ length: 3 }, () =>
      repeat(made.actions, async ({ call }, key) => {
        const approval_id = await call(client => approved(client, app, key))
        while ((await call(client => client.getApproval({ approval_id }))).data.status === 'approved')
          await sleep(300)
        return approval_id
      }),
    ),
  ]
  return {
    done: () => recorder.succeeded(),
    async stop() {
      state.stopped = true
      await Promise.all(workers)
      const figures = recorder.figures((performance.now() - begun) / 1000)
      return { ...made, figures, attempts: recorder.failed, unanswered }
    },
  }
}

async function approved(client: Client, app: SharedApp, key: string): Promise<string> {
  const asked = await client.requestApproval(
    { ...app, operation: 'post', arguments: { path: '/orders', body: { key } }, note: key },
    { idempotency_key: key },
  )
  const { approval_id, arguments_sha256, revision } = asked.data
  await client.approveApproval(
    { approval_id, arguments_sha256, expected_revision: revision },
    { idempotency_key: `${key}-approve` },
  )
  return approval_id
}
