import type { ReportBar } from '@wbs/contract/valuations/reading'
import { compact, scaleOf } from './scale.ts'
import { element, imageWidth, label, type Svg } from './svg.ts'

const top = 34
const height = 170
const left = 44

/** Columns from zero, side by side for each period; a colour for each figure, and its name above. */
export function columnChart(bars: readonly ReportBar[]): { height: number; content: Svg[] } {
  const groups = [...new Set(bars.map(({ group }) => group ?? ''))]
  const periods = [...new Set(bars.map(({ label: name }) => name))]
  const scale = scaleOf(
    bars.flatMap(({ low, high }) => [low, high]),
    top + height,
    top,
    { zero: true, most: 4 },
  )
  const slot = (imageWidth - left) / periods.length
  const wide = Math.min((slot * 0.72) / groups.length, 56)
  const grid = scale.ticks.flatMap(tick => [
    element('line', {
      x1: left,
      x2: imageWidth,
      y1: scale.at(tick),
      y2: scale.at(tick),
      class: tick === 0 ? 'axis' : 'grid',
    }),
    label(compact(tick), { x: left - 6, y: scale.at(tick) + 4, anchor: 'end', class: 'tick' }),
  ])
  const columns = bars.flatMap(({ label: period, group, low, point, high }) => {
    const at = groups.indexOf(group ?? '')
    const middle = left + slot * (periods.indexOf(period) + 0.5)
    const x = middle + wide * (at - groups.length / 2)
    const [y1, y2] = [scale.at(high), scale.at(low)]
    const value = { x: x + wide / 2, y: y1 - 4, anchor: 'middle', class: 'value small' } as const
    return [
      element('rect', {
        x: x + 1,
        y: y1,
        width: wide - 2,
        height: Math.max(y2 - y1, 0.5),
        class: `bar s${at}`,
      }),
      ...(wide >= 26 ? [label(compact(point ?? high), value)] : []),
    ]
  })
  const names = periods.map((period, at) =>
    label(period, {
      x: left + slot * (at + 0.5),
      y: top + height + 18,
      anchor: 'middle',
      class: 'label',
      longest: Math.max(4, Math.floor(slot / 8)),
    }),
  )
  return { height: top + height + 26, content: [...grid, ...columns, ...names, ...legend(groups)] }
}

function legend(groups: readonly string[]): Svg[] {
  let x = 0
  return groups.flatMap((group, at) => {
    const start = x
    x += 22 + group.length * 7.2 + 14
    return [
      element('rect', { x: start, y: 3, width: 11, height: 11, class: `bar s${at}` }),
      label(group, { x: start + 17, y: 13, class: 'label' }),
    ]
  })
}
