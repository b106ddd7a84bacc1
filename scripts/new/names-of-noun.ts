/** The names of a noun, such as site visits. */
export interface NounNames {
  /** `rooms` */
  slice: string
  /** `site-visits` */
  plural: string
  /** `siteVisits` */
  camelPlural: string
  /** `site-visit` */
  singular: string
  /** `siteVisit` */
  camel: string
  /** `SiteVisit` */
  pascal: string
  /** `SiteVisits` */
  pascalPlural: string
  /** `site_visit` */
  snake: string
  /** `site_visits` */
  table: string
  /** `site visit` */
  words: string
  /** `site visits` */
  wordsPlural: string
  /** `site_visit: siteVisit`: takes it from the key of an answer, or puts it there. */
  keyed: string
}

/** Reads a name such as `rooms/site-visits`. Throws if it is no plural below a slice. */
export function namesOfNoun(path: string): NounNames {
  const [slice = '', plural = '', ...rest] = path.split('/')
  if (rest.length > 0 || !/^[a-z]+(?:-[a-z]+)*s$/.test(plural))
    throw new Error(
      'Name a noun by its slice and its plural, such as rooms/site-visits or workspaces/reminders.',
    )
  const singular = plural.replace(/ies$/, 'y').replace(/(?<!y)s$/, '')
  const camel = camelOf(singular)
  const snake = singular.replaceAll('-', '_')
  return {
    slice,
    plural,
    camelPlural: camelOf(plural),
    singular,
    camel,
    pascal: pascalOf(singular),
    pascalPlural: pascalOf(plural),
    snake,
    table: plural.replaceAll('-', '_'),
    words: singular.replaceAll('-', ' '),
    wordsPlural: plural.replaceAll('-', ' '),
    keyed: snake === camel ? snake : `${snake}: ${camel}`,
  }
}

const camelOf = (kebab: string) => kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
export const pascalOf = (kebab: string): string => camelOf(`-${kebab}`)
