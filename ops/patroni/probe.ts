import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AcknowledgedChange, UnansweredChange } from '../load/records.ts'
import type { LoadWorkspace } from '../load/workspaces.ts'

/** What is asked again and again, each time once, without repeating what failed. */
const kinds = ['change', 'read', 'ready', 'health'] as const
type Kind = (typeof kinds)[number]

/** An answer of the service, or what the socket said instead. Times in milliseconds. */
export interface ProbeAnswer {
  kind: Kind
  /** When it was asked, since 1970. */
  at: number
  milliseconds: number
  /** Null without an answer. */
  status: number | null
  /** The code of the problem, or what the socket said. */
  reason: string
  retry_after: string | null
  content_type: string | null
}

export interface Probe {
  answers: readonly ProbeAnswer[]
  /** The first change that was asked after this moment and acknowledged; undefined if there is none yet. */
  acknowledgedAfter(at: number): ProbeAnswer | undefined
  stop(): Promise<{ acknowledged: AcknowledgedChange[]; unanswered: UnansweredChange[] }>
}

const pause = 100

/** Asks the nodes in turn, ten times a second for each kind, also while earlier answers are still to come. */
export function startProbe(base_urls: readonly string[], place: LoadWorkspace): Probe {
  const answers: ProbeAnswer[] = []
  const acknowledged: AcknowledgedChange[] = []
  const unanswered: UnansweredChange[] = []
  const state = { stopped: false }

  async function ask(kind: Kind, base_url: string): Promise<void> {
    const at = Date.now()
    const idempotency_key = randomUUID()
    const title = `Probe ${idempotency_key}`
    const answer = await answerOf(requestOf(kind, base_url, place, idempotency_key, title))
    answers.push({ kind, at, milliseconds: Date.now() - at, ...answer.seen })
    if (kind !== 'change') return
    const change = {
      idempotency_key,
      operation: 'create_room' as const,
      workspace_id: place.workspace_id,
      key_id: place.key_id,
      sent_at: at,
      attempts: 1,
    }
    if (answer.seen.status !== 201) unanswered.push({ ...change, error: answer.seen.reason })
    else acknowledged.push({ ...change, ...madeOf(answer.body, title), acknowledged_at: Date.now() })
  }

  async function askAll(): Promise<void> {
    const asked: Promise<void>[] = []
    for (let number = 0; !state.stopped; number++) {
      const base_url = base_urls[number % base_urls.length] as string
      asked.push(...kinds.map(kind => ask(kind, base_url)))
      await sleep(pause)
    }
    await Promise.all(asked)
  }

  const asking = askAll()
  return {
    answers,
    acknowledgedAfter: moment =>
      answers
        .filter(({ kind, status, at }) => kind === 'change' && status === 201 && at >= moment)
        .sort((a, b) => a.at + a.milliseconds - (b.at + b.milliseconds))[0],
    async stop() {
      state.stopped = true
      await asking
      return { acknowledged, unanswered }
    },
  }
}

function requestOf(kind: Kind, base_url: string, place: LoadWorkspace, key: string, title: string): Request {
  if (kind === 'ready' || kind === 'health') return new Request(`${base_url}/${kind}`)
  const headers = { 'x-svc-api-key': place.api_key, 'svc-workspace-id': place.workspace_id }
  if (kind === 'read') return new Request(`${base_url}/v1/rooms?limit=1`, { headers })
  return new Request(`${base_url}/v1/rooms`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ title }),
  })
}

interface Body {
  code?: string
  room?: { room_id: string; revision: number }
  action_receipt?: { command_id: string; receipt_id: string }
}

type Seen = Omit<ProbeAnswer, 'kind' | 'at' | 'milliseconds'>

async function answerOf(request: Request): Promise<{ seen: Seen; body: Body }> {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(60_000) })
    const body = (await answer.json()) as Body
    const { status, headers } = answer
    const [retry_after, content_type] = [headers.get('retry-after'), headers.get('content-type')]
    return { seen: { status, reason: body.code ?? '', retry_after, content_type }, body }
  } catch (error) {
    const { cause = error } = error as { cause?: unknown }
    return { seen: { status: null, reason: String(cause), retry_after: null, content_type: null }, body: {} }
  }
}

function madeOf({ room, action_receipt }: Body, title: string) {
  if (!room || !action_receipt) throw new Error('A change was answered without its Room or its receipt.')
  return { ...room, ...action_receipt, title, idempotent_replay: false }
}
