import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { reasonOf } from '../../reason-of.ts'
import type { CommonFlags } from '../command-flags.ts'
import type { OperationCommand } from '../command/operation-command.ts'
import type { Surroundings } from '../surroundings.ts'
import { readLimit } from './read-limit.ts'
import { UsageError } from './usage-error.ts'

/** The headers of a call: a key of its own for each change, unless one is given. Throws UsageError. */
export async function readOptions(
  { op, list }: OperationCommand,
  flags: CommonFlags,
  surroundings: Surroundings,
): Promise<{ idempotency_key?: string; claim_token?: string }> {
  if (list) readLimit(flags)
  const claim_token = op.visitors ? await claimToken(flags, surroundings) : undefined
  return {
    ...(op.kind === 'mutation' && { idempotency_key: idempotencyKey(flags) }),
    ...(claim_token !== undefined && { claim_token }),
  }
}

function idempotencyKey({ idempotencyKey: key = randomUUID() }: CommonFlags): string {
  if (/^[\x21-\x7e]{8,200}$/.test(key)) return key
  throw new UsageError([
    {
      where: '--idempotency-key',
      detail: 'It must have 8 to 200 visible ASCII characters, without spaces.',
    },
  ])
}

async function claimToken(
  { claimToken: token, claimTokenFile: file }: CommonFlags,
  { env, stdin }: Surroundings,
): Promise<string | undefined> {
  const where = '--claim-token-file'
  if (file === undefined) return token ?? (env['WBS_CLAIM_TOKEN'] || undefined)
  if (token !== undefined)
    throw new UsageError([{ where, detail: `Give --claim-token or ${where}, not both.` }])
  if (file !== '-')
    return (
      await readFile(file, 'utf8').catch((error: unknown) => {
        throw new UsageError([{ where, detail: `${file} cannot be read: ${reasonOf(error)}.` }])
      })
    ).trim()
  let text = ''
  for await (const chunk of stdin) text += Buffer.from(chunk as Uint8Array).toString('utf8')
  return text.trim()
}
