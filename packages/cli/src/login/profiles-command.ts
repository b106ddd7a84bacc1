import type { Command } from 'commander'

/** Adds `wbs profiles`. */
export function addProfiles(wbs: Command): void {
  const profiles = wbs.command('profiles').description('the services and accounts that wbs login has saved')
  profiles
    .command('list')
    .description('List the profiles, without their secrets. An asterisk marks the one that commands use.')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: true }) => (await import('./profiles.ts')).listProfiles(json === true))
  profiles
    .command('use')
    .description('Choose the profile that commands use if they name none.')
    .argument('<name>', 'the profile')
    .action(async (name: string) => (await import('./profiles.ts')).useProfile(name))
  profiles
    .command('remove')
    .description('Remove a profile, as wbs logout does.')
    .argument('<name>', 'the profile')
    .action(async (name: string) => (await import('./log-out.ts')).removeProfile(name))
}
