import { text } from 'node:stream/consumers'
import { CommandError } from '../command-error.ts'
import type { GivenCredential } from '../profiles/profile.ts'

const longest = 16_384 // characters

/** Reads a token or a key from standard input, where no list of processes and no history of a shell shows it. Throws CommandError. */
export async function readGivenCredential(kind: GivenCredential['kind']): Promise<GivenCredential> {
  const name = kind === 'api_key' ? 'API key' : 'access token'
  if (process.stdin.isTTY) console.error(`Paste the ${name}, then press Enter and Ctrl-D.`)
  const secret = (await text(process.stdin)).trim()
  if (!/^[\x21-\x7e]+$/.test(secret) || secret.length > longest)
    throw new CommandError(`Standard input must hold the ${name} and nothing else.`)
  if (kind === 'access_token') return { kind, access_token: secret }
  if (/^svc_(dev|test|live)_/.test(secret)) return { kind, api_key: secret }
  throw new CommandError('An API key of the service begins with svc_. For an access token, use --with-token.')
}
