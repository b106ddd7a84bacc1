import type { CallOptions } from './settings.ts'

/** An input may be left out if none of its members is required, or if it has none. */
type Arguments<Input> = object extends Input | (Input extends Record<string, never> ? object : never)
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions]

/**
 * Calls one operation. Throws ProblemError if the service refuses it, UnexpectedAnswer if something other than the
 * service answers, and what fetch throws. Content is answered as the Response of fetch, whose body is not read yet.
 */
export interface Method<Input, Answer> {
  (...args: Arguments<Input>): Promise<Answer>
}

/** An operation that answers a page of a list. */
export interface ListMethod<Input, Answer, Item> extends Method<Input, Answer> {
  /** Yields the items of all pages, from the given cursor on, and requests each page when it is needed. */
  each(...args: Arguments<Input>): AsyncGenerator<Item, void, undefined>
}

/** An operation whose parameter `format` says in which form it answers: content, or JSON. */
export interface FormatMethod<Input, Answer> {
  (
    input: Input & { format: Exclude<FormatOf<Input>, 'json' | undefined> },
    options?: CallOptions,
  ): Promise<Response>
  (input: Input & { format?: 'json' | undefined }, options?: CallOptions): Promise<Answer>
}
type FormatOf<Input> = Input extends { format?: infer Format } ? Format : never
