import type { Values } from './parameters.ts'
import { madeStatement, type Reader } from './statement.ts'

/** The values of a read that is composed for one use, by the names that its text gives them. */
export interface Placeholders {
  readonly values: Values
  /** Adds a value and returns its parameter, such as `:text`; `:text_2` if that name is taken. */
  add(name: string, value: unknown): string
  /** The same parameter as before if this value was added under this name, else a new one. */
  shared(name: string, value: unknown): string
}

/** Begins with values that the text names itself. */
export function createPlaceholders(given: Readonly<Record<string, unknown>>): Placeholders {
  const values: Record<string, unknown> = { ...given }
  const added = new Map<string, string[]>()
  function add(name: string, value: unknown): string {
    const earlier = added.get(name) ?? []
    const parameter = earlier.length === 0 ? name : `${name}_${earlier.length + 1}`
    if (parameter in values) throw new Error(`Two values are named ${parameter}.`)
    added.set(name, [...earlier, parameter])
    values[parameter] = value
    return `:${parameter}`
  }
  return {
    values,
    add,
    shared(name, value) {
      const parameter = added.get(name)?.find(earlier => values[earlier] === value)
      return parameter === undefined ? add(name, value) : `:${parameter}`
    },
  }
}

/**
 * Runs a read whose text is composed for one use, such as the rule of a List. PostgreSQL plans it for its values and does
 * not keep it, because there is no bound on how many there are. The text must consist of constants and parameters alone.
 */
export function readComposed<Row>(
  reader: Reader,
  { values }: Placeholders,
  text: string,
  connectionClass: 'custom_plan' | 'fail_fast',
): Promise<Row[]> {
  return reader.many(madeStatement<Row, 'read'>({ name: '', text, access: 'read', connectionClass }), values)
}
