import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, totalmem } from 'node:os'

/** Writes the figures of a run to bench/results/NAME.json, with what they were measured on. */
export function writeResults(name: string, figures: object): string {
  const folder = new URL('./results/', import.meta.url)
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

/** The value below which a share of the sorted values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export const rounded = (value: number, digits = 2) => Number(value.toFixed(digits))

/** Pairs of throughput, ours and the floor's of the same round: their ratio, and the worst of it. */
export function ratioOf(pairs: number[][]) {
  const ratios = pairs.map(([ours = 0, floor = 1]) => ours / floor)
  return {
    of_floor: rounded(median(ratios)),
    worst: rounded(Math.min(...ratios)),
    requests_per_second: Math.round(median(pairs.map(([ours = 0]) => ours))),
    floor_requests_per_second: Math.round(median(pairs.map(([, floor = 0]) => floor))),
  }
}
