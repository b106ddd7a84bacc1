import { connectionClasses } from '../../src/database/connections/connection-classes.ts'

/** The connection classes, with one connection each. */
export function oneConnectionPerClass(): ReturnType<typeof connectionClasses> {
  const classes = Object.entries(connectionClasses()).map(([kind, one]) => [kind, { ...one, connections: 1 }])
  return Object.fromEntries(classes) as ReturnType<typeof connectionClasses>
}
