import type { Handlers } from '../../src/app.ts'

// Compiled, never run: each line below a @ts-expect-error must not compile, or the check of types fails.

declare const handlers: Handlers
declare function accept(all: Handlers): void
const { get_me: _, ...allButOne } = handlers

accept(handlers)

// @ts-expect-error -- an operation has no handler
accept(allButOne)

// @ts-expect-error -- an operation has the handler of another one
accept({ ...handlers, get_me: handlers.list_workspaces })

// @ts-expect-error -- a handler is of no operation
accept({ ...handlers, get_you: handlers.get_me })
