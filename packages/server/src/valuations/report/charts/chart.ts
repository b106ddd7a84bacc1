import type { ReportBlock } from '@wbs/contract/valuations/reading'
import { columnChart } from './columns.ts'
import { rangeChart, tornadoChart, waterfallChart } from './horizontal.ts'
import { image, type Svg } from './svg.ts'

const drawn = {
  ranges: { draw: rangeChart, what: 'A bar for each range, and a diamond for each point.' },
  tornado: { draw: tornadoChart, what: 'A bar for each driver, from the lowest to the highest result.' },
  columns: { draw: columnChart, what: 'A column for each figure of each period.' },
  waterfall: { draw: waterfallChart, what: 'A bar for each step between two totals.' },
} as const

/** The image of a chart. `id` is unique in the page. */
export function drawChart(id: string, { chart, series = [], title }: ReportBlock, currency: string): Svg {
  const { draw, what } = drawn[chart as keyof typeof drawn]
  const { height, content } = draw(series)
  return image(
    id,
    height,
    title ?? '',
    `${what} Amounts are in ${currency}. The table below has the figures.`,
    ...content,
  )
}
