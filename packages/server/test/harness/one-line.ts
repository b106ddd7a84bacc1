import { lineClasses } from '../../src/database/connections/connection-classes.ts'

/** The kinds of reading connections, with one connection of each. */
export function oneLine(): ReturnType<typeof lineClasses> {
  const classes = Object.entries(lineClasses()).map(([kind, one]) => [kind, { ...one, connections: 1 }])
  return Object.fromEntries(classes) as ReturnType<typeof lineClasses>
}
