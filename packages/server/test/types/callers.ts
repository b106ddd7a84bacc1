import type { Caller, KeyCaller, SignedInCaller, UserCaller } from '../../src/call/authority/caller.ts'
import type { Transaction } from '../../src/database/connections/writer.ts'
import { insertWorkspace } from '../../src/workspaces/workspace-store.ts'

// Compiled, never run: a line below a @ts-expect-error must not compile, or the type check fails.

declare const tx: Transaction
declare const signedIn: SignedInCaller
declare const user: UserCaller
declare const key: KeyCaller
declare const anybody: Caller
const now = new Date()

insertWorkspace(tx, signedIn, 'x', now)
if (!user.is_anonymous) insertWorkspace(tx, { ...user, is_anonymous: user.is_anonymous }, 'x', now)

// @ts-expect-error -- the person may be anonymous
insertWorkspace(tx, user, 'x', now)

// @ts-expect-error -- an API key founds no Workspace
insertWorkspace(tx, key, 'x', now)

// @ts-expect-error -- it may be a key
insertWorkspace(tx, anybody, 'x', now)

// @ts-expect-error -- nobody founds a Workspace without a transaction
insertWorkspace(null, signedIn, 'x', now)
