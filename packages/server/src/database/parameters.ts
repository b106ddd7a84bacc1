/**
 * The values of a statement, by the names of its parameters. Values that the statement does not name are ignored. It is no array:
 * a statement knows no positions.
 */
export type Values = Readonly<Record<string, unknown>> | (object & { readonly [Symbol.iterator]?: never })

/** What may contain a colon that is no parameter, or else a parameter: strings, names, comments and casts. */
const PARAMETER = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|::|:([a-z_][a-z0-9_]*)/g

/**
 * A text with parameters such as `:room_id`, as psql writes them, in the form that PostgreSQL prepares: the text with `$1`,
 * `$2`, …, and the names in that order.
 */
export function numberParameters(named: string): { text: string; parameters: readonly string[] } {
  const parameters: string[] = []
  const text = named.replaceAll(PARAMETER, (found, name?: string) => {
    if (name === undefined) return found
    if (!parameters.includes(name)) parameters.push(name)
    return `$${parameters.indexOf(name) + 1}`
  })
  return { text, parameters }
}

/**
 * A text with parameters by position, which another program has written, and its values in that order: in the form that a
 * statement has.
 */
export const nameParameters = (
  text: string,
  values: readonly unknown[],
): { text: string; values: Values } => ({
  text: text.replaceAll(/\$(\d+)/g, ':value_$1'),
  values: Object.fromEntries(values.map((value, i) => [`value_${i + 1}`, value])),
})

/** The values of a statement in the order of its parameters. Throws if one is missing. */
export function valuesInOrder(
  { name, parameters }: { name: string; parameters: readonly string[] },
  values: Values,
): readonly unknown[] {
  const named = values as Readonly<Record<string, unknown>>
  const ordered: unknown[] = []
  for (const parameter of parameters) {
    const value = named[parameter]
    if (value === undefined && !(parameter in named))
      throw new Error(`The statement ${name} needs a value for its parameter ${parameter}.`)
    ordered.push(value)
  }
  return ordered
}
