/** Places figures along an axis. Only places are numbers of JavaScript; every figure that is written stays a decimal. */
export interface Scale {
  /** The place of a figure. */
  at(figure: string | number): number
  /** Round figures along the axis. */
  ticks: readonly number[]
}

/** A scale that contains all figures, with room beside the outermost. `zero`: it contains zero too. */
export function scaleOf(
  figures: readonly string[],
  from: number,
  to: number,
  { zero = false, most = 5 }: { zero?: boolean; most?: number } = {},
): Scale {
  const values = figures.map(Number)
  if (zero) values.push(0)
  const low = Math.min(...values)
  const high = Math.max(...values)
  const step = roundStep((high - low || Math.abs(high) || 1) / most)
  const start = Math.floor(low / step) * step
  const end = Math.max(Math.ceil(high / step) * step, start + step)
  const count = Math.round((end - start) / step)
  return {
    at: figure => from + ((Number(figure) - start) / (end - start)) * (to - from),
    ticks: Array.from({ length: count + 1 }, (_, i) => start + i * step),
  }
}

/** The next step of 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 2.5, 5].find(factor => factor * power >= least) ?? 10)
}

const suffixes = ['', 'k', 'm', 'bn', 'tn'] as const

/** A figure of an axis or beside a bar, in a few characters: 250k, 1.25m. */
export function compact(figure: string | number): string {
  const value = Number(figure)
  const size = Math.abs(value)
  if (size >= 1e15) return value.toExponential(1).replace('-', '−').replace('e+', 'e')
  let at = 0
  while (at < suffixes.length - 1 && size >= 999.5 * 1000 ** at) at++
  const scaled = size / 1000 ** at
  const places = at === 0 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2
  const text = String(Number(scaled.toFixed(places)))
  return `${value < 0 && text !== '0' ? '−' : ''}${text}${suffixes[at]}`
}
