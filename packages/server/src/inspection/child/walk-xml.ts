import { Parser } from 'saxen'
import { Unreadable } from './document.ts'

type Attributes = Readonly<Record<string, string>>

/** What is done with the parts of an XML document, in their order. Names come without their prefixes. */
interface Visitor {
  open?(name: string, attributes: () => Attributes): void
  close?(name: string): void
  text?(text: string): void
}

/** Walks an XML document without building it. `stop` ends the walk. Throws Unreadable if it is broken. */
export function walkXml(xml: string, visit: (stop: () => void) => Visitor): void {
  const parser = new Parser()
  const { open, close, text } = visit(() => parser.stop())
  parser.on('openTag', (name, attributes, decode) =>
    open?.(withoutPrefix(name), () => decoded(attributes(), decode)),
  )
  parser.on('closeTag', name => close?.(withoutPrefix(name)))
  parser.on('text', (value, decode) => text?.(decode(value)))
  parser.on('cdata', value => text?.(value))
  parser.on('error', error => {
    throw new Unreadable(error.message)
  })
  parser.parse(xml)
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

const decoded = (attributes: Attributes, decode: (text: string) => string): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [withoutPrefix(name), decode(value)]))
