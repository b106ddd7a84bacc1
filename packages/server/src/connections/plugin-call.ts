import type { Plugin, PluginCall, PluginOutcome } from '../plugins/plugin.ts'
import { mostBytes } from './connection.ts'

/** How long a call of an operation may take, in milliseconds. */
const mostCallTime = 10_000

/** How much longer a plugin may take to end after its time is over. */
const grace = 1000

const tooLate: PluginOutcome = { outcome: 'outcome_unknown', detail: 'The app did not answer in time.' }

/**
 * Runs an operation of a plugin, in ten seconds at most. Whatever the plugin does, this does not throw, and an output is JSON of
 * at most 64 KiB that can be stored and answered..
 */
export async function callPlugin(
  plugin: Pick<Plugin, 'call'>,
  call: Omit<PluginCall, 'signal'>,
  { time = mostCallTime, signal }: { time?: number; signal?: AbortSignal } = {},
): Promise<PluginOutcome> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), time)
  const both = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal
  let last: NodeJS.Timeout | undefined
  const over = new Promise<PluginOutcome>(resolve => {
    both.addEventListener('abort', () => (last = setTimeout(() => resolve(tooLate), grace)), { once: true })
  })
  try {
    return checked(await Promise.race([run(plugin, { ...call, signal: both }), over]))
  } finally {
    clearTimeout(timer)
    clearTimeout(last)
  }
}

/** A plugin that throws has broken its promise, and may have reached the app before. */
async function run(plugin: Pick<Plugin, 'call'>, call: PluginCall): Promise<PluginOutcome> {
  try {
    return await plugin.call(call)
  } catch {
    return { outcome: 'outcome_unknown', detail: 'The plugin failed.' }
  }
}

/** The outcome with its output as JSON, or invalid_answer if that cannot be stored. */
function checked(outcome: PluginOutcome): PluginOutcome {
  if (outcome.outcome !== 'succeeded')
    return { outcome: outcome.outcome, detail: outcome.detail.slice(0, 500) }
  const output = outcome.output ?? null
  const faulty = (detail: string): PluginOutcome => ({ outcome: 'invalid_answer', detail })
  if (!isStorable(output)) return faulty('The app answered with something that is not JSON.')
  const json = JSON.stringify(output)
  if (Buffer.byteLength(json) > mostBytes) return faulty('The app answered with more than 64 KiB.')
  return { outcome: 'succeeded', output: JSON.parse(json) as unknown }
}

/** How deep an output may be nested. */
const mostDepth = 32

/** Whether a value is JSON that PostgreSQL can store: no other types, no U+0000, no half of a surrogate pair, no number beyond JSON. */
function isStorable(value: unknown): boolean {
  const left: [value: unknown, depth: number][] = [[value, 0]]
  for (let next = left.pop(); next; next = left.pop()) {
    const [one, depth] = next
    if (one === null || typeof one === 'boolean') continue
    if (typeof one === 'number') {
      if (!Number.isFinite(one)) return false
    } else if (typeof one === 'string') {
      if (!isText(one)) return false
    } else if (typeof one !== 'object' || depth >= mostDepth || !isPlain(one)) return false
    else
      for (const [key, inner] of Object.entries(one)) {
        if (!isText(key)) return false
        left.push([inner, depth + 1])
      }
  }
  return true
}

const isText = (text: string) => text.isWellFormed() && !text.includes('\u0000')

const isPlain = (value: object) =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
