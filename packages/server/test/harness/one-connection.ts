import { connectionClasses } from '../../src/database/connections/connection-classes.ts'
import { poolSizes, usualConnections } from '../../src/database/connections/pool-sizes.ts'

/** The connection classes, with one connection each. */
export function oneConnectionPerClass(): ReturnType<typeof connectionClasses> {
  const classes = Object.entries(connectionClasses(poolSizes(usualConnections).readers)).map(
    ([kind, one]) => [kind, { ...one, connections: 1 }],
  )
  return Object.fromEntries(classes) as ReturnType<typeof connectionClasses>
}
