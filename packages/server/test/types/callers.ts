import type { Caller, KeyCaller, SignedInCaller, UserCaller } from '../../src/call/authority/caller.ts'
import type { Transaction } from '../../src/database/connections/writer.ts'
import { foundWorkspace } from '../../src/workspaces/workspace-store.ts'

// Compiled, never run: each line below a @ts-expect-error must not compile, or the check of types fails.

declare const tx: Transaction
declare const signedIn: SignedInCaller
declare const user: UserCaller
declare const key: KeyCaller
declare const anybody: Caller
const now = new Date()

foundWorkspace(tx, signedIn, 'x', now)
if (!user.is_anonymous) foundWorkspace(tx, { ...user, is_anonymous: user.is_anonymous }, 'x', now)

// @ts-expect-error -- the person may be anonymous
foundWorkspace(tx, user, 'x', now)

// @ts-expect-error -- an API key founds no Workspace
foundWorkspace(tx, key, 'x', now)

// @ts-expect-error -- it may be a key
foundWorkspace(tx, anybody, 'x', now)

// @ts-expect-error -- nobody founds a Workspace without a transaction
foundWorkspace(null, signedIn, 'x', now)
