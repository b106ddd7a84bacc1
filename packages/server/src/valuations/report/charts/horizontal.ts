import type { ReportBar } from '@wbs/contract/valuations/reading'
import { compact, scaleOf, type Scale } from './scale.ts'
import { element, imageWidth, label, type Svg } from './svg.ts'

const rowHeight = 38
const barHeight = 12
const margin = 6
const left = margin + 18
const right = imageWidth - margin - 18

/** What both horizontal charts have: a row for each bar, its label above it, and an axis below all. */
function rows(
  bars: readonly ReportBar[],
  scale: Scale,
  draw: (bar: ReportBar, top: number) => readonly Svg[],
): { height: number; content: Svg[] } {
  const bottom = bars.length * rowHeight + margin
  const grid = scale.ticks.flatMap(tick => [
    element('line', { x1: scale.at(tick), x2: scale.at(tick), y1: margin, y2: bottom, class: 'grid' }),
    label(compact(tick), { x: scale.at(tick), y: bottom + 15, anchor: 'middle', class: 'tick' }),
  ])
  const content = bars.flatMap((bar, at) => draw(bar, margin + at * rowHeight))
  return { height: bottom + 22, content: [...grid, ...content] }
}

/** Figures that stand beside or between their ends. */
const figuresOf = (bars: readonly ReportBar[]): string[] =>
  bars.flatMap(({ low, point, high }) => [low, high, ...(point === null ? [] : [point])])

/** A football field: the range and the point of each value. The last row is the result, and a line leads through its point. */
export function rangeChart(bars: readonly ReportBar[]): { height: number; content: Svg[] } {
  const scale = scaleOf(figuresOf(bars), left, right)
  const result = bars.at(-1)
  const chart = rows(bars, scale, (bar, top) => {
    const { low, point, high } = bar
    const isResult = bar === result
    const y = top + 18
    const [x1, x2] = [scale.at(low), scale.at(high)]
    const wide = Math.max(x2 - x1, 0)
    const marks = [
      label(bar.label, { x: 0, y: top + 12, longest: 54, class: isResult ? 'label strong' : 'label' }),
      ...(wide > 0
        ? [
            element('rect', {
              x: x1,
              y,
              width: wide,
              height: barHeight,
              class: isResult ? 'bar result' : 'bar',
            }),
          ]
        : []),
    ]
    if (point === null) return marks
    const at = scale.at(point)
    return [
      ...marks,
      element('path', { d: diamond(at, y + barHeight / 2), class: isResult ? 'mark result-mark' : 'mark' }),
      label(compact(point), { x: imageWidth, y: top + 12, anchor: 'end', class: 'value' }),
    ]
  })
  if (!result?.point) return chart
  const x = scale.at(result.point)
  const line = element('line', {
    x1: x,
    x2: x,
    y1: margin,
    y2: bars.length * rowHeight + margin,
    class: 'guide',
  })
  return { ...chart, content: [line, ...chart.content] }
}

const diamond = (x: number, y: number): string => {
  const at = (value: number) => Math.round(value * 100) / 100
  return `M${at(x)} ${at(y - 7)}L${at(x + 6)} ${at(y)}L${at(x)} ${at(y + 7)}L${at(x - 6)} ${at(y)}Z`
}

/** How far each driver moves the result to both sides of its point. */
export function tornadoChart(bars: readonly ReportBar[]): { height: number; content: Svg[] } {
  const scale = scaleOf(figuresOf(bars), left, right)
  return rows(bars, scale, ({ label: name, low, point, high }, top) => {
    const y = top + 18
    const middle = scale.at(point ?? low)
    const side = (from: number, to: number, kind: string) =>
      to > from
        ? [element('rect', { x: from, y, width: to - from, height: barHeight, class: `bar ${kind}` })]
        : []
    return [
      label(name, { x: 0, y: top + 12, longest: 44 }),
      label(`${compact(low)} to ${compact(high)}`, {
        x: imageWidth,
        y: top + 12,
        anchor: 'end',
        class: 'value',
      }),
      ...side(scale.at(low), Math.min(middle, scale.at(high)), 'below'),
      ...side(Math.max(middle, scale.at(low)), scale.at(high), 'above'),
      element('line', { x1: middle, x2: middle, y1: y - 3, y2: y + barHeight + 3, class: 'axis' }),
    ]
  })
}

/** The steps from one total to another, from top to bottom. */
export function waterfallChart(bars: readonly ReportBar[]): { height: number; content: Svg[] } {
  const scale = scaleOf(figuresOf(bars.map(bar => ({ ...bar, point: null }))), left, right, { zero: true })
  const zero = scale.at(0)
  const chart = rows(bars, scale, ({ label: name, group, low, point, high }, top) => {
    const y = top + 18
    const sign = group === 'rise' ? '+' : ''
    return [
      label(name, { x: 0, y: top + 12, longest: 50, class: group === 'total' ? 'label strong' : 'label' }),
      label(sign + compact(point ?? high), { x: imageWidth, y: top + 12, anchor: 'end', class: 'value' }),
      element('rect', {
        x: scale.at(low),
        y,
        width: Math.max(scale.at(high) - scale.at(low), 1),
        height: barHeight,
        class: `bar ${group ?? ''}`,
      }),
    ]
  })
  const axis = element('line', { x1: zero, x2: zero, y1: margin, y2: chart.height - 22, class: 'axis' })
  return { ...chart, content: [...chart.content, axis] }
}
