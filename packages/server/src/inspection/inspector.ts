import type { Meter } from '@opentelemetry/api'
import { noMeter } from '../telemetry/meter.ts'
import { scan } from './clamd.ts'
import {
  contradicts,
  exactTextFormat,
  isTextType,
  isUnspecific,
  typeToServe,
  type FoundType,
} from './content-types.ts'
import { readWhole, type Content } from './content.ts'
import { inspectInChild } from './inspect-in-child.ts'
import type { ClamdAddress } from './inspection-settings.ts'
import { defaultLimits, secondsFor, type InspectionLimits } from './limits.ts'
import { readText, type Findings } from './read-text.ts'
import { survey, type Survey } from './survey.ts'
import { collectPages, inOneLine } from './text-pages.ts'
import { createFairTurns } from '../turns/fair-turns.ts'

/** What a content is, and whether it may be used. */
export interface Inspection {
  /** Null if the content may be used; else why not. */
  error: 'type_mismatch' | 'unreadable' | 'malware_detected' | null
  /** The type to serve and to show: the declared one, or the found one where the declared one says nothing. */
  content_type: string
  /** Whether it is of a text type and UTF-8 without NUL, so that pages of it can be read as text. */
  is_text: boolean
  /**
   * The text that was found: pages of a PDF, sheets of a workbook, or parts of other text. `none` if this type has none or
   * the content is too large, `failed` if it needs a password or more time or memory than the limits.
   */
  text: { status: 'ready' | 'none' | 'failed'; pages: string[] }
  /** One line for people, such as "PDF, 12 pages"; null if nothing is known. */
  summary: string | null
}

/** What the process of an inspection took. */
export interface Spent {
  cpu_seconds: number
  /** `turn`: more than a short turn has. `limits`: more than content of its size may take. */
  exceeded: 'turn' | 'limits' | null
}

/** Content that has to wait for a long turn: nothing is known of it yet. */
export class Postponed extends Error {
  override name = 'Postponed'
}

/** How an inspection waits for its process. */
export interface InspectionTurn {
  /**
   * A short turn ends after little time: content that needs more is postponed. A long one has all the time that content
   * of its size may take, and leaves the processor to others meanwhile. Default: like a long one, but among all others.
   */
  length?: 'short' | 'long'
  /** Asked when the turn has come; if not, the content is postponed. */
  mayBegin?(): Promise<boolean>
  note?(spent: Spent): Promise<void>
  signal?: AbortSignal
}

export interface Inspector {
  /**
   * Throws Postponed if the content should be inspected in a long turn instead; else only for faults that are not the
   * content's, which are worth a retry, and if the signal aborts.
   */
  inspect(content: Content, turn?: InspectionTurn): Promise<Inspection>
  /** Ends everything that runs or waits: it fails. */
  close(): Promise<void>
}

interface InspectorSettings {
  /** Null if nothing is scanned for malware. */
  clamd: ClamdAddress | null
  limits?: Partial<InspectionLimits>
  meter?: Meter
  log: { info(details: object, message: string): void; warn(details: object, message: string): void }
}

/** How much of a content is read to learn its type, if all of it is not. */
const headBytes = 1_000_000

export function createInspector({
  clamd,
  limits: given,
  meter = noMeter,
  log,
}: InspectorSettings): Inspector {
  const limits = { ...defaultLimits, ...given }
  const turns = {
    short: createFairTurns({ total: limits.concurrency }),
    long: createFairTurns({ total: limits.concurrency }),
  }
  meter
    .createObservableGauge('svc.inspections', {
      description:
        'Inspections of uploaded content by a process of their own that run, and that wait for one.',
    })
    .addCallback(result => {
      const usages = Object.values(turns).map(({ usage }) => usage())
      const sum = (of: 'running' | 'waiting') => usages.reduce((total, each) => total + each[of], 0)
      result.observe(sum('running'), { state: 'running' })
      result.observe(sum('waiting'), { state: 'waiting' })
    })
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  async function run(content: Content, turn: Turn): Promise<Inspection> {
    const { signal } = turn
    if (clamd) {
      const malware = await readWhole(content, signal, stream => scan(clamd, stream, signal))
      if (malware !== null) {
        log.warn({ malware: inOneLine(malware, 200) }, 'malware was found in uploaded content')
        return refused('malware_detected', content.declared_type)
      }
    }
    const seen = await readWhole(content, signal, stream =>
      survey(stream, Math.max(headBytes, limits.in_process_bytes)),
    )
    const format = exactTextFormat(content.declared_type)
    return format === null ? ofOtherType(content, seen, turn) : ofText(content, format, seen, turn)
  }

  async function ofText(
    content: Content,
    format: NonNullable<ReturnType<typeof exactTextFormat>>,
    seen: Survey,
    turn: Turn,
  ): Promise<Inspection> {
    if (!seen.is_utf8) return refused('type_mismatch', content.declared_type)
    if (content.size_bytes > limits.extract_bytes)
      return inspectionOf(content.declared_type, true, nothingRead)
    if (content.size_bytes <= limits.in_process_bytes)
      return inspectionOf(content.declared_type, true, await readText(seen.head, format, limits))
    const task = { text_format: format, is_whole: true, limits }
    const { findings } = await inChild(task, content, seen, turn)
    return inspectionOf(content.declared_type, true, findings ?? notRead)
  }

  async function ofOtherType(content: Content, seen: Survey, turn: Turn): Promise<Inspection> {
    const task = { text_format: null, is_whole: content.size_bytes <= limits.extract_bytes, limits }
    const answer = await inChild(task, content, seen, turn)
    // Content that exhausts its reader before its type is known.
    if (answer.found === null) return refused('unreadable', content.declared_type)
    const found: FoundType = { ...answer.found, is_utf8: seen.is_utf8 }
    if (contradicts(content.declared_type, found)) return refused('type_mismatch', content.declared_type)
    const type = typeToServe(content.declared_type, found)
    if (!isTextType(type) || !seen.is_utf8) return inspectionOf(type, false, answer.findings ?? notRead)
    const isLarge = content.size_bytes > limits.extract_bytes
    return isLarge
      ? inspectionOf(type, true, nothingRead)
      : ofText({ ...content, declared_type: type }, 'plain', seen, turn)
  }

  async function inChild(
    task: Parameters<typeof inspectInChild>[0],
    content: Content,
    seen: Survey,
    turn: Turn,
  ) {
    const { length, signal } = turn
    const most = secondsFor(content.size_bytes, limits)
    const seconds = length === 'short' ? Math.min(most, limits.short_seconds) : most
    const { answer, run } = await turns[length ?? 'long'].run(
      'all',
      async () => {
        if (turn.mayBegin && !(await turn.mayBegin())) throw new Postponed()
        const within = { ...task, limits: { ...limits, seconds } }
        return inspectInChild(within, content, seen.head, length === 'long', signal)
      },
      signal,
    )
    const isLate = run.excess === 'time' && seconds < most
    const exceeded = isLate ? 'turn' : run.excess === null ? null : 'limits'
    await turn.note?.({ cpu_seconds: run.cpu_seconds, exceeded })
    if (isLate) throw new Postponed()
    if (run.excess !== null) log.warn({ limit: run.excess }, 'the inspection of a content ran into a limit')
    else if (run.signal !== null) log.warn({ signal: run.signal }, 'the inspection of a content crashed')
    return answer
  }

  /** Applies the limits again: the content that the child read may control it. */
  function inspectionOf(
    content_type: string,
    is_text: boolean,
    { error, text, summary }: Findings,
  ): Inspection {
    if (error !== null) return refused(error, content_type)
    const pages = collectPages(limits)
    text.pages.every(pages.add)
    const line = summary === null ? null : inOneLine(summary, 500)
    return { error, content_type, is_text, text: { status: text.status, pages: pages.found }, summary: line }
  }

  return {
    inspect(content, turn = {}) {
      const { signal: own } = turn
      const signal = own ? AbortSignal.any([own, closing.signal]) : closing.signal
      const work = run(content, { ...turn, signal })
      running.add(work)
      const forget = () => void running.delete(work)
      work.then(forget, forget)
      return work
    },
    async close() {
      closing.abort(new Error('The inspector is closed.'))
      await Promise.allSettled(running)
    },
  }
}

type Turn = InspectionTurn & { signal: AbortSignal }

const nothingRead: Findings = { error: null, text: { status: 'none', pages: [] }, summary: null }
const notRead: Findings = { error: null, text: { status: 'failed', pages: [] }, summary: null }

/** The declared type is kept, because nothing better is known of content that is not used. */
const refused = (error: NonNullable<Inspection['error']>, declared: string): Inspection => ({
  error,
  content_type: isUnspecific(declared) ? 'application/octet-stream' : declared,
  is_text: false,
  text: { status: 'none', pages: [] },
  summary: null,
})
