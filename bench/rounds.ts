import type { Load } from './load.ts'
import { median, rounded } from './quantiles.ts'
import type { MeasuredProcess } from './service-process.ts'

/** The result of a load, with the processor time of the server per request if it is one process. */
export type Measured = Load & { processor_ms?: number }

/** Something to compare: answers requests of one kind for some seconds. */
export type Contender<Kind extends string> = (kind: Kind, seconds: number) => Promise<Measured>

/**
 * Measures all contenders in turns, after a warm-up, so that disturbances of the machine affect all of them; every
 * second round in reverse order. Gives, for each kind, the medians of each and the ratios of `ours` to it.
 */
export async function compare<Kind extends string>(
  kinds: readonly Kind[],
  { rounds, seconds }: { rounds: number; seconds: number },
  contenders: Record<string, Contender<Kind>>,
) {
  const all = Object.entries(contenders)
  const measured = new Map(kinds.map(kind => [kind, [] as Record<string, Measured>[]]))
  for (let round = 0; round <= rounds; round++) {
    console.error(round === 0 ? '# warming up' : `# round ${round} of ${rounds}`)
    for (const kind of kinds) {
      const loads: Record<string, Measured> = {}
      for (const [name, measure] of round % 2 === 0 ? all : all.toReversed())
        loads[name] = await measure(kind, round === 0 ? 1 : seconds)
      if (round > 0) measured.get(kind)?.push(loads)
    }
  }
  const names = all.map(([name]) => name)
  return Object.fromEntries([...measured].map(([kind, loads]) => [kind, summary(names, loads)]))
}

/** The median of each figure, and of the ratios of throughput in each round. */
function summary(names: readonly string[], rounds: readonly Record<string, Measured>[]) {
  const figure = (name: string) => shown(rounds.flatMap(loads => loads[name] ?? []))
  const ratio = (name: string) => {
    const ratios = rounds.map(loads => (loads.ours?.per_second ?? 0) / (loads[name]?.per_second ?? 1))
    return { median: rounded(median(ratios)), worst: rounded(Math.min(...ratios)) }
  }
  return {
    ...Object.fromEntries(names.map(name => [name, figure(name)])),
    ...Object.fromEntries(
      names.filter(name => name !== 'ours').map(name => [`ours_of_${name}`, ratio(name)]),
    ),
  }
}

/** The medians of some loads, for the results. */
export function shown(loads: readonly Measured[]) {
  const processor = loads.flatMap(({ processor_ms }) => processor_ms ?? [])
  return {
    per_second: Math.round(median(loads.map(load => load.per_second))),
    p50_ms: rounded(median(loads.map(load => load.p50_ms)), 1),
    p99_ms: rounded(median(loads.map(load => load.p99_ms)), 1),
    ...(processor.length > 0 && { processor_ms: rounded(median(processor)) }),
  }
}

/** Runs a load, and adds the processor time per request. */
export async function withProcessor(
  process: Pick<MeasuredProcess, 'processorTime'>,
  run: () => Promise<Load>,
): Promise<Measured> {
  const [before, begun] = [process.processorTime(), performance.now()]
  const load = await run()
  const requests = (load.per_second * (performance.now() - begun)) / 1000
  return { ...load, processor_ms: (process.processorTime() - before) / requests }
}
