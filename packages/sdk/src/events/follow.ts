import { UnexpectedAnswer } from '../errors.ts'
import { pauseBefore } from '../exchange.ts'
import type { ListEventChangesAnswer } from '../generated/types.ts'
import { operations, type Operation } from '../operations.ts'
import { backoff, longestPause, sleep } from '../pauses.ts'
import { prepareRequest } from '../request.ts'
import type { ResponseInfo } from '../response-info.ts'
import { attemptOnce, firstAttempt } from '../send.ts'
import type { ClientSettings } from '../settings.ts'
import type { EventFeed, FeedEvent, FollowOptions } from './options.ts'
import { createParser, type Block } from './parse-stream.ts'

type Events = AsyncGenerator<FeedEvent, void, undefined>

/** In milliseconds. */
export interface Bounds {
  /** The service opens a stream at once. What holds the opening back for so long would hold events back too. */
  opening: number
  /** The service sends a comment every 15 seconds. A connection that is silent for so long is dead. */
  silence: number
  /** For so long long polls are used where a stream did not work. */
  polling: number
}

const usual: Bounds = { opening: 10_000, silence: 40_000, polling: 600_000 }
/** A poll is answered before proxies give up. Many of them wait 30 seconds. */
const wait_seconds = 25
/** However long the service asks to wait, in milliseconds. A timer of more than 24 days would end at once. */
const longestWait = 3_600_000
/** How many events are remembered, so that none is yielded twice. */
const mostRemembered = 1000

const named = (name: string) => operations.find(operation => operation.name === name) as Operation

/** Follows the events of a Workspace, as EventFeed says. */
export function follow(settings: ClientSettings, options: FollowOptions = {}, bounds = usual): EventFeed {
  const { room_id, types, signal, workspace_id } = options
  const inWorkspace = workspace_id === undefined ? {} : { workspace_id }
  const stop = new AbortController()
  const yielded = new Set<string>()
  let cursor = options.cursor ?? null
  /** Whether the feed has begun at a known place: at the cursor or, without one, before the first event of all. */
  let hasBegun = cursor !== null
  let pollUntil = 0
  let pause = 1000

  async function* everything(): Events {
    let isConnected = false
    /** How many streams in a row ended at once without an event. */
    let endings = 0
    for (let failures = 0; ;) {
      // A stream without a cursor begins at the newest event.
      const isPoll = performance.now() < pollUntil || (hasBegun && cursor === null)
      const operation = named(isPoll ? 'list_event_changes' : 'stream_events')
      const poll = { limit: 100, wait_seconds: hasBegun ? wait_seconds : 0 }
      const input = { room_id, types, cursor, ...(isPoll && poll) }
      const attempt = {
        ...firstAttempt(settings, operation, input, {
          signal: stop.signal,
          ...(!isPoll && { timeout: bounds.opening }),
        }),
        attempt: failures + 1,
      }
      const asked = performance.now()
      const outcome = await attemptOnce(
        attempt,
        prepareRequest(settings, operation, input, inWorkspace),
        !isPoll,
      )
      if ('error' in outcome) {
        const { error, retryable, retryAfter } = outcome
        failures++
        if (!isPoll && isOfThePath(error, retryable && failures < 3)) usePolls()
        else if (!retryable || (!isConnected && failures >= (settings.attempts ?? 3))) throw error
        else await pauseBefore(attempt, outcome, waitOf(Math.max(retryAfter ?? 0, backoff(failures))))
        continue
      }
      failures = 0
      isConnected = true
      if (isPoll) {
        const page = outcome.answer as ListEventChangesAnswer
        const before = cursor
        yield* polled(page)
        // A service that stops answers at once, and a place that does not move would be asked for again at once.
        if ((page.data.length === 0 && !page.has_more) || cursor === before)
          await sleep(Math.max(0, asked + pause - performance.now()), stop.signal)
      } else {
        const known = cursor
        yield* streamed(outcome.answer as Response, outcome.response)
        endings = cursor === known && performance.now() < asked + bounds.opening ? endings + 1 : 0
        const ended = { error: new DOMException('The stream has ended.', 'NetworkError'), retryable: true }
        const isGivenUp = performance.now() < pollUntil
        const usualPause = Math.max(pause * (0.5 + Math.random()), endings > 1 ? backoff(endings) : 0)
        await pauseBefore(attempt, ended, isGivenUp ? 0 : usualPause)
      }
    }
  }

  const usePolls = () => void (pollUntil = performance.now() + bounds.polling)

  /** The events of a stream, until it ends or is given up. */
  async function* streamed({ body, headers }: Response, response: ResponseInfo): Events {
    if (!body || !/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) {
      usePolls()
      void body?.cancel()
      return
    }
    const reader = body.getReader()
    const close = () => void reader.cancel().catch(() => {})
    const parse = createParser()
    const start = performance.now()
    let heardAt = 0
    try {
      for (;;) {
        const timer = setTimeout(
          () => {
            // Nothing came, or the opening alone: something on the way holds the rest back.
            if (heardAt < start + bounds.opening) usePolls()
            close()
          },
          heardAt === 0 ? bounds.opening : bounds.silence,
        )
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
        clearTimeout(timer)
        if (!value || done) return
        heardAt = performance.now()
        for (const block of parse(value)) yield* received(block, response)
      }
    } finally {
      close()
    }
  }

  async function* received({ id, data, retry }: Block, response: ResponseInfo): Events {
    cursor = id ?? cursor
    hasBegun ||= retry === undefined
    pause = Math.min(retry ?? pause, longestPause)
    if (data !== undefined) yield* unknown(eventOf(data, response))
  }

  /** The events of a page. The place before them is kept until the last of them. */
  async function* polled(page: ListEventChangesAnswer): Events {
    const { data, has_more } = page
    const isNew = hasBegun
    hasBegun ||= !has_more
    if (isNew) for (const event of data.slice(0, -1)) yield* unknown(event)
    cursor = page.cursor ?? cursor
    if (isNew) for (const event of data.slice(-1)) yield* unknown(event)
  }

  async function* unknown(event: FeedEvent): Events {
    if (yielded.has(event.id)) return
    yielded.add(event.id)
    if (yielded.size > mostRemembered) yielded.delete(yielded.values().next().value as string)
    yield event
  }

  async function* read(): Events {
    const abort = () => stop.abort()
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    try {
      for await (const event of everything()) {
        if (stop.signal.aborted) return
        yield event
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error
    } finally {
      abort()
      signal?.removeEventListener('abort', abort)
    }
  }

  const events = read()
  return {
    next: () => events.next(),
    return() {
      // A generator that waits for an event would not return before it.
      stop.abort()
      return events.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
    get cursor() {
      return cursor
    },
  }
}

const waitOf = (milliseconds: number) => Math.min(milliseconds, longestWait)

/** Whether something between client and service does not let streams through, and long polls may do. */
const isOfThePath = (error: unknown, mayPass: boolean) =>
  (error instanceof DOMException && error.name === 'TimeoutError') ||
  (error instanceof UnexpectedAnswer && !mayPass)

function eventOf(data: string, response: ResponseInfo): FeedEvent {
  try {
    return JSON.parse(data) as FeedEvent
  } catch {
    throw new UnexpectedAnswer(response, 'a message of its stream is not JSON')
  }
}
