const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const widthOfOne = (grapheme: string): number => (invisible.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1)

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOfOne(segment)
  return width
}

/** A text of at most so many columns. One that is cut ends in `…`. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    width += widthOfOne(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

export const padTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)))
