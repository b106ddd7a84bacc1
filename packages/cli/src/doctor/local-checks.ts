import packageJson from '../../package.json' with { type: 'json' }
import { CommandError } from '../command-error.ts'
import { findAccess, profileStore, type FoundAccess } from '../config.ts'
import type { AccessFlags } from '../access-flags.ts'
import { ok, warning, wrong, type Finding } from './finding.ts'

const oldestNode = 24

/** Checks the versions of this machine. */
export function checkVersions(): Finding[] {
  const version = process.version
  const isOld = Number(/^v(\d+)/.exec(version)?.[1] ?? 0) < oldestNode
  return [
    isOld
      ? wrong('node', `Node is ${version}.`, `wbs needs Node ${oldestNode} or newer.`)
      : ok('node', `Node is ${version}.`),
    ok('wbs', `wbs is ${packageJson.version}.`),
  ]
}

/** Checks that the profiles can be read, by nobody else. */
export async function checkProfiles(): Promise<Finding> {
  const store = profileStore()
  try {
    const { current, byName } = await store.read()
    return byName.size === 0
      ? ok('profiles', `There are none in ${store.file}.`)
      : ok(
          'profiles',
          `${store.file} is closed to others. It has ${byName.size}; ${current ?? 'none'} is in use.`,
        )
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return wrong('profiles', error.message, 'No command uses a profile until this is right.')
  }
}

/** How commands reach the service, or why they cannot. */
export async function checkAccess(flags: AccessFlags): Promise<FoundAccess | Finding> {
  try {
    return await findAccess(flags)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return wrong('credential', error.message, 'Most commands need one.')
  }
}

/** A credential goes over http only to this machine, or everybody on the way can read it. */
export function checkTransport(url: string, isLocal: boolean): Finding[] {
  if (isLocal || new URL(url).protocol === 'https:') return []
  return [
    warning(
      'transport',
      `${url} is not encrypted.`,
      'Use https, because commands send your credential with each request.',
    ),
  ]
}
