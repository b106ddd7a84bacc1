import { madeStatement, type Reader } from './statement.ts'

/** The parameters of a read that is composed for one use, and where each stands in its text. */
export interface Placeholders {
  /** The placeholder of a new parameter. */
  add(value: unknown): string
  /** The placeholder of a parameter that stands in several places. */
  shared(name: string, value: unknown): string
  /** The text, with the parameters that it uses. */
  inUse(text: string): { text: string; values: unknown[] }
}

export function createPlaceholders(): Placeholders {
  const all: unknown[] = []
  const named = new Map<string, string>()
  const add = (value: unknown): string => `$${all.push(value)}`
  return {
    add,
    shared(name, value) {
      const placeholder = named.get(name) ?? add(value)
      named.set(name, placeholder)
      return placeholder
    },
    // PostgreSQL refuses a parameter that the text does not use, and a part that cannot match may have been left out.
    inUse(text) {
      const numbers = new Map<string, number>()
      const renumbered = text.replaceAll(/\$\d+/g, placeholder => {
        const number = numbers.get(placeholder) ?? numbers.size + 1
        numbers.set(placeholder, number)
        return `$${number}`
      })
      return { text: renumbered, values: [...numbers.keys()].map(one => all[Number(one.slice(1)) - 1]) }
    },
  }
}

/**
 * Runs a read whose text is composed for one use, such as the rule of a List. PostgreSQL plans it for its values and does
 * not keep it, because there is no bound on how many there are. The text must consist of constants and placeholders alone.
 */
export function readComposed<Row>(
  reader: Reader,
  placeholders: Placeholders,
  text: string,
  connectionClass: 'custom_plan' | 'fail_fast',
): Promise<Row[]> {
  const composed = placeholders.inUse(text)
  const { text: made, values } = composed
  const statement = madeStatement<Row, 'read'>({ name: '', text: made, access: 'read', connectionClass })
  return reader.many(statement, values)
}
