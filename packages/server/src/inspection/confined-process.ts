import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { usageOf } from './process-usage.ts'

/** Why a process was stopped. */
export type Excess = 'time' | 'memory' | 'output'

export interface ConfinedRun {
  /** What it wrote, up to the limit. */
  output: string
  /** The limit it ran into, or null if it ended by itself. */
  excess: Excess | null
  code: number | null
  signal: NodeJS.Signals | null
  /** The CPU time that it took; where that cannot be known, all its time. */
  cpu_seconds: number
  /** The start of what it wrote to standard error. */
  complaint: string
}

export interface ConfinedLimits {
  /** Of CPU time. */
  seconds: number
  /** Seconds of wall time, after the input has arrived, for each second of CPU time. */
  wall_ratio: number
  delivery_seconds: number
  memory_mb: number
  output_bytes: number
}

interface Confined {
  /** The file to run. */
  entry: string
  /** Its only argument. */
  argument: string
  /** What it reads from standard input. */
  input: Readable
  limits: ConfinedLimits
  /** Whether other processes come first. */
  isLast: boolean
  signal: AbortSignal
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

const ownFolder = dirname(fileURLToPath(import.meta.url)) + sep
const readable = [ownFolder, ...packagesAbove(ownFolder)]
const msBetweenLooks = 50
const complaintLength = 2000

/** The installed packages, and the package.json files that tell Node how to read ours. */
function packagesAbove(folder: string): string[] {
  const parent = dirname(folder)
  const found = [join(folder, 'node_modules') + sep, join(folder, 'package.json')].filter(path =>
    existsSync(path),
  )
  return parent === folder ? found : [...found, ...packagesAbove(parent)]
}

/**
 * Runs a file in a process that can read only this folder and the installed packages, can write nothing, can start neither
 * processes nor threads, compiles no text, and has an empty environment. Resolves once it has ended; throws if it cannot
 * start, if the input fails or is too slow, and if the signal aborts.
 */
export async function runConfined({
  entry,
  argument,
  input,
  limits,
  isLast,
  signal,
}: Confined): Promise<ConfinedRun> {
  signal.throwIfAborted()
  const child = launch(entry, argument, limits.memory_mb)
  if (isLast) leaveProcessorToOthers(child)
  const stopped = stopAt(child, limits)
  const output = collect(child.stdout, limits.output_bytes, () => stopped.because('output'))
  const complaint = collect(child.stderr, complaintLength, () => {})
  const ended = endOf(child)
  const delivery = AbortSignal.any([signal, AbortSignal.timeout(limits.delivery_seconds * 1000)])
  const abort = () => child.kill('SIGKILL')
  signal.addEventListener('abort', abort, { once: true })
  try {
    await deliver(input, child.stdin, ended, delivery)
    stopped.startClock()
    const { code, signal: endedBy } = await ended
    signal.throwIfAborted()
    return {
      output: output(),
      excess: stopped.excess(),
      code,
      signal: endedBy,
      cpu_seconds: stopped.cpuSeconds(),
      complaint: complaint(),
    }
  } finally {
    signal.removeEventListener('abort', abort)
    child.kill('SIGKILL')
    stopped.cease()
    await ended.catch(() => {})
  }
}

function launch(entry: string, argument: string, memoryMb: number): Child {
  const flags = [
    '--permission',
    ...readable.map(path => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    // The rest is for the content and the code, which are outside of the heap.
    `--max-old-space-size=${Math.max(16, Math.floor(memoryMb * 0.75))}`,
    '--no-warnings',
  ]
  const child = spawn(process.execPath, [...flags, entry, argument], {
    env: {},
    cwd: ownFolder,
    stdio: 'pipe',
  })
  child.stdin.on('error', () => {}) // It may end before it has read everything; its end says why.
  return child
}

/** It may have ended already. */
function leaveProcessorToOthers({ pid }: Child): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}

function endOf(child: Child): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
    child.once('error', reject)
  })
  ended.catch(() => {}) // It is awaited after the input, which may fail first.
  return ended
}

/** Keeps what a stream gives, up to a length. What is beyond is read and dropped, so that the process does not block. */
function collect(stream: Readable, bytes: number, exceeded: () => void): () => string {
  const chunks: Buffer[] = []
  let left = bytes
  stream.on('data', (chunk: Buffer) => {
    if (left > 0) chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (left < 0) exceeded()
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

/** Kills the process at its limits. The first limit it runs into is the reason. */
function stopAt(child: Child, limits: ConfinedLimits) {
  let excess: Excess | null = null
  let deadline: number | null = null
  let cpuSeconds: number | null = null
  const begun = performance.now()
  const used = () => cpuSeconds ?? (performance.now() - begun) / 1000
  function because(reason: Excess): void {
    excess ??= reason
    child.kill('SIGKILL')
  }
  function look(): void {
    if (deadline !== null && performance.now() >= deadline) return because('time')
    const usage = child.pid === undefined || child.exitCode !== null ? null : usageOf(child.pid)
    if (usage) cpuSeconds = usage.cpu_seconds
    if (used() > limits.seconds) because('time')
    if (usage && usage.memory_mb > limits.memory_mb) because('memory')
  }
  const looks = setInterval(look, Math.min(msBetweenLooks, Math.max(1, limits.seconds * 1000)))
  return {
    because,
    excess: () => excess,
    cpuSeconds: used,
    startClock: () => void (deadline = performance.now() + limits.seconds * limits.wall_ratio * 1000),
    cease: () => clearInterval(looks),
  }
}

/** Writes the input to the child. A child that ends early takes no more; how it ended says why. */
async function deliver(
  input: Readable,
  stdin: Writable,
  ended: Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let isOver = false
  const leave = () => {
    isOver = true
    input.destroy()
  }
  const over = ended.then(leave, leave)
  input.on('error', () => {}) // Reading it throws the error; it may also fail before it is read.
  const cancel = () => input.destroy(signal.reason as Error)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    signal.throwIfAborted()
    for await (const chunk of input as AsyncIterable<Buffer>) {
      if (isOver) break
      if (!stdin.write(chunk))
        await Promise.race([new Promise(resolve => stdin.once('drain', resolve)), over])
    }
  } catch (error) {
    if (!isOver) throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    input.destroy()
    stdin.end()
  }
}
