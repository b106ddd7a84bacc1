import { CommandError } from '../command-error.ts'
import { namedProfile, profileStore } from '../config.ts'
import type { AccessFlags } from '../access-flags.ts'
import { endSession } from '../sessions/end-session.ts'

/** `wbs logout`, for the profile that is named or current. Throws CommandError. */
export async function logOut(flags: Pick<AccessFlags, 'profile'>): Promise<void> {
  const { current } = await profileStore().read()
  const name = namedProfile(flags) ?? current
  if (name === null) throw new CommandError('You are not signed in with a profile.')
  await removeProfile(name)
}

/** Ends the session of a profile at its issuer, and removes the profile in any case. Throws CommandError if there is none. */
export async function removeProfile(name: string): Promise<void> {
  const failure = await profileStore().change(async (profiles, save) => {
    const profile = profiles.byName.get(name)
    if (!profile) throw new CommandError(`There is no profile ${name}.`)
    // In here, so that no other command renews the session meanwhile.
    const failed = await endSession(profile)
    profiles.byName.delete(name)
    if (profiles.current === name) profiles.current = null
    await save()
    return failed
  })
  console.log(`Signed out: the profile ${name} is removed.`)
  if (failure !== null) console.error(`Its session may still be open at the issuer. ${failure}`)
}
