import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, totalmem } from 'node:os'
import type { Load } from './load.ts'
import { median, rounded } from './quantiles.ts'

const ofBenchmarks = new URL('./results/', import.meta.url)

/** The results of the scripts of operators. */
export const ofOperators = new URL('../ops/results/', import.meta.url)

/** Writes the figures of a run to NAME.json in a folder of results, with a description of the machine. */
export function writeResults(name: string, figures: object, folder = ofBenchmarks): string {
  mkdirSync(folder, { recursive: true })
  const file = new URL(`${name}.json`, folder)
  const machine = {
    node: process.version,
    platform: `${platform()} ${arch()}`,
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memory_gib: Math.round(totalmem() / 2 ** 30),
  }
  writeFileSync(
    file,
    `${JSON.stringify({ measured_at: new Date().toISOString(), machine, ...figures }, null, 2)}\n`,
  )
  return file.pathname
}

/** Pairs of throughput, ours and the floor's of the same round: their ratio, and the worst of it. */
function ratioOf(pairs: number[][]) {
  const ratios = pairs.map(([ours = 0, floor = 1]) => ours / floor)
  return {
    of_floor: rounded(median(ratios)),
    worst: rounded(Math.min(...ratios)),
    requests_per_second: Math.round(median(pairs.map(([ours = 0]) => ours))),
    floor_requests_per_second: Math.round(median(pairs.map(([, floor = 0]) => floor))),
  }
}

/** Loads of ours and of the floor, round by round: their ratio, and the slowest hundredth of the requests. */
export function comparedTo(floor: readonly Load[], ours: readonly Load[]) {
  const p99 = (loads: readonly Load[]) => rounded(median(loads.map(load => load.p99_ms)))
  return {
    ...ratioOf(ours.map((load, round) => [load.per_second, floor[round]?.per_second ?? Number.NaN])),
    p99_ms: p99(ours),
    floor_p99_ms: p99(floor),
  }
}
