import {
  type PerformanceEntry,
  monitorEventLoopDelay,
  performance,
  PerformanceObserver,
  constants,
} from 'node:perf_hooks'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { Meter } from '@opentelemetry/api'

/** The event loop is watched in windows of so many milliseconds, so that any number of scrapers see the same. */
const windowMilliseconds = 15_000
/** How often it is looked at, in milliseconds. */
const intervalMilliseconds = 20

/** Which collection of garbage it was, as the semantic conventions call it. */
const collections: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}

/** Measures the memory, the processor time and the event loop of this process. Returns what ends that. */
export function measureProcess(meter: Meter): () => void {
  measureMemory(meter)
  measureTime(meter)
  const endings = [measureEventLoop(meter), measureCollections(meter)]
  return () => endings.forEach(end => end())
}

function measureMemory(meter: Meter): void {
  const resident = meter.createObservableGauge('process.memory.usage', {
    unit: 'By',
    description: 'Resident memory of the process, with its threads, in bytes.',
  })
  const heap = meter.createObservableGauge('v8js.memory.heap.used', {
    unit: 'By',
    description: 'Memory of the main thread that JavaScript values use, in bytes.',
  })
  const most = meter.createObservableGauge('v8js.memory.heap.limit', {
    unit: 'By',
    description: 'How large the heap of the main thread may become, in bytes. Beyond it the process ends.',
  })
  const external = meter.createObservableGauge('svc.process.memory.external', {
    unit: 'By',
    description: 'Memory of buffers outside the heap, in bytes.',
  })
  const allowed = meter.createObservableGauge('svc.process.memory.limit', {
    unit: 'By',
    description: 'How much memory the process may take: that of its container, or of the machine, in bytes.',
  })
  meter.addBatchObservableCallback(
    result => {
      const usage = process.memoryUsage()
      result.observe(resident, usage.rss)
      result.observe(heap, usage.heapUsed)
      result.observe(external, usage.external)
      result.observe(most, getHeapStatistics().heap_size_limit)
      // Without a limit, Node gives none or a number beyond all memory.
      result.observe(allowed, Math.min(process.constrainedMemory() || Infinity, totalmem()))
    },
    [resident, heap, most, external, allowed],
  )
}

function measureTime(meter: Meter): void {
  meter
    .createObservableGauge('process.uptime', {
      unit: 's',
      description: 'How long the process has run, in seconds.',
    })
    .addCallback(result => result.observe(process.uptime()))
  meter
    .createObservableCounter('process.cpu.time', {
      unit: 's',
      description: 'Processor time of the process, with its threads, in seconds.',
    })
    .addCallback(result => {
      const { user, system } = process.cpuUsage()
      result.observe(user / 1e6, { 'cpu.mode': 'user' })
      result.observe(system / 1e6, { 'cpu.mode': 'system' })
    })
}

function measureEventLoop(meter: Meter): () => void {
  const delays = monitorEventLoopDelay({ resolution: intervalMilliseconds })
  delays.enable()
  // What is measured includes the interval.
  const seconds = (nanoseconds: number) => Math.max(0, (nanoseconds || 0) / 1e9 - intervalMilliseconds / 1e3)
  const read = () => ({
    mean: seconds(delays.mean),
    p99: seconds(delays.percentile(99)),
    max: seconds(delays.max),
  })
  let since = performance.eventLoopUtilization()
  const utilization = () => performance.eventLoopUtilization(since).utilization
  let last: (ReturnType<typeof read> & { utilization: number }) | null = null
  const timer = setInterval(() => {
    last = { ...read(), utilization: utilization() }
    delays.reset()
    since = performance.eventLoopUtilization()
  }, windowMilliseconds).unref()
  const texts = {
    mean: 'How late timers of the event loop were on average in the last 15 seconds, in seconds.',
    p99: 'How late 99 of 100 timers of the event loop were at most in the last 15 seconds, in seconds.',
    max: 'How late the latest timer of the event loop was in the last 15 seconds, in seconds.',
  } as const
  for (const kind of ['mean', 'p99', 'max'] as const)
    meter
      .createObservableGauge(`nodejs.eventloop.delay.${kind}`, { unit: 's', description: texts[kind] })
      .addCallback(result => result.observe((last ?? read())[kind]))
  meter
    .createObservableGauge('nodejs.eventloop.utilization', {
      description: 'The part of the last 15 seconds in which the event loop was busy, from 0 to 1.',
    })
    .addCallback(result => result.observe(last?.utilization ?? utilization()))
  return () => {
    clearInterval(timer)
    delays.disable()
  }
}

function measureCollections(meter: Meter): () => void {
  const duration = meter.createHistogram<{ 'v8js.gc.type': string }>('v8js.gc.duration', {
    unit: 's',
    description: 'How long collections of garbage took, in seconds.',
    advice: { explicitBucketBoundaries: [0.001, 0.01, 0.1, 1] },
  })
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & { detail: { kind: number } })[]) {
      const type = collections[entry.detail.kind] ?? 'other'
      duration.record(entry.duration / 1000, { 'v8js.gc.type': type })
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  return () => observer.disconnect()
}
