import type { ClientSettings } from './settings.ts'

// Not in the client itself, so that nobody who prints a client prints its credential.
const settings = new WeakMap<object, ClientSettings>()

/** Makes the settings of a client known to functions that take the client. */
export const keepSettings = (client: object, its: ClientSettings): void => void settings.set(client, its)

/** The settings of a client. Throws TypeError for what `createClient` of this copy of the package did not create. */
export function settingsOf(client: object): ClientSettings {
  const its = settings.get(client)
  if (its === undefined)
    throw new TypeError(
      'The client must be one that createClient of the same copy of @wbs/sdk has created, not a copy of one.',
    )
  return its
}
