import type { AccessFlags } from '../access-flags.ts'

/** The flags that the commands of operations have in common. */
export interface CommonFlags extends AccessFlags {
  json?: true
  input?: string
  idempotencyKey?: string
  claimToken?: string
  claimTokenFile?: string
  all?: true
  limit?: string
  latest?: true
  output?: string
  force?: true
  verbose?: true
  quiet?: true
}
