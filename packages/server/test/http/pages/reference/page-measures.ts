/** The parts of an element that functions in the page use. */
interface PageElement {
  tagName: string
  className: string
  outerHTML: string
  open: boolean
  clientWidth: number
  scrollWidth: number
  childNodes: Iterable<{ nodeType: number; textContent: string | null }>
  parentElement: PageElement | null
  ownerDocument: {
    defaultView: { getComputedStyle(of: PageElement): Record<'color' | 'backgroundColor', string> }
  }
  querySelectorAll(selector: string): Iterable<PageElement>
  getBoundingClientRect(): { top: number; right: number }
}

/** Opens all details, and gives the elements that overflow to the right. Runs in the page. */
export function beyondTheEdge(root: PageElement): string[] {
  for (const details of root.querySelectorAll('details')) details.open = true
  const elements = [...root.querySelectorAll('body *:not(.skip, .unseen)')].filter(
    element => element.getBoundingClientRect().right > root.clientWidth + 1,
  )
  return [
    ...elements.map(element => element.outerHTML.slice(0, 80)),
    ...(root.scrollWidth > root.clientWidth ? ['the page scrolls sideways'] : []),
  ]
}

/** The colours of each kind of text and of its background. Runs in the page. */
export function coloursOfText(root: PageElement): { what: string; ink: string; paper: string }[] {
  const styleOf = (element: PageElement) => root.ownerDocument.defaultView.getComputedStyle(element)
  const behind = (element: PageElement | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const { backgroundColor } = styleOf(element)
    return backgroundColor === 'rgba(0, 0, 0, 0)' ? behind(element.parentElement) : backgroundColor
  }
  const withText = [...root.querySelectorAll('body *')].filter(element =>
    [...element.childNodes].some(node => node.nodeType === 3 && node.textContent?.trim()),
  )
  return withText.map(element => ({
    what: `${element.tagName}.${element.className}`,
    ink: styleOf(element).color,
    paper: behind(element),
  }))
}

/** The contrast ratio of two colours by WCAG 2: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(value =>
    linear(Number(value) / 255),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const linear = (value: number) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
