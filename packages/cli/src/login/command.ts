import { Option, type Command } from 'commander'
import { addAccessFlags, addProfileFlag } from '../access-flags.ts'
import type { LoginFlags } from './log-in.ts'
import type { WhoFlags } from './who-am-i.ts'

/** Adds `wbs login`, `wbs logout` and `wbs whoami`, and the same below `wbs auth`, where people who know gh look for them. */
export function addLogin(wbs: Command): void {
  const auth = wbs.command('auth').description('sign in and out: the same as wbs login, logout and whoami')
  for (const parent of [wbs, auth]) {
    addLoginTo(parent)
    addProfileFlag(parent.command('logout'))
      .description('End the session of a profile at its issuer, and forget its credential.')
      .action(async (flags: { profile?: string }) => (await import('./log-out.ts')).logOut(flags))
    addAccessFlags(parent.command(parent === wbs ? 'whoami' : 'status'))
      .description(
        'Say who you are for the service, with which credential, until when, and in which Workspace.',
      )
      .option('--json', 'print it as JSON')
      .action(async (flags: WhoFlags) => (await import('./who-am-i.ts')).showWho(flags))
  }
}

function addLoginTo(parent: Command): void {
  addAccessFlags(parent.command('login'))
    .description(
      'Sign in to a service, in your browser or by a code on another device, and keep the session in a profile. Later commands use it.',
    )
    .option('--issuer <url>', 'where you sign in, if the service has several issuers')
    .addOption(
      new Option('--device', 'show a code to enter on another device').conflicts(['withToken', 'withApiKey']),
    )
    .addOption(new Option('--with-token', 'read an access token from standard input').conflicts('withApiKey'))
    .option('--with-api-key', 'read an API key from standard input')
    .action(async (flags: LoginFlags) => (await import('./log-in.ts')).logIn(flags))
}
