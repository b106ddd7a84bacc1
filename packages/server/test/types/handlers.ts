import type { OperationName } from '@wbs/contract/registry'
import type { EachHandled } from '../../src/slices.ts'

// Compiled, never run: a line below a @ts-expect-error must not compile, or the type check fails.

true satisfies EachHandled<OperationName>

// @ts-expect-error -- an operation has no handler
true satisfies EachHandled<Exclude<OperationName, 'get_me'>>

'No handlers.ts names the handler of get_me.' satisfies EachHandled<Exclude<OperationName, 'get_me'>>
