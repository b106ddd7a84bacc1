import type { ResponseInfo } from './response-info.ts'
import type { CallOptions } from './settings.ts'

/** The answer that a call will have. */
export interface Call<Answer> extends Promise<Answer> {
  /** Gives the answer together with its status, headers, request id and rate limits. */
  withResponse(): Promise<{ answer: Answer; response: ResponseInfo }>
}

/** The items of a list. */
export interface Items<Item> extends AsyncGenerator<Item, void, undefined> {
  /**
   * Where to go on after the pages that were read: what the method takes as `cursor` or `after`. It moves with the last item
   * of each page. At the end of a list it is null; the end of `listEventChanges` has a cursor, after which new events come.
   */
  readonly cursor: string | null
}

/** An input may be left out if none of its members is required, or if it has none. */
type Arguments<Input> = object extends Input | (Input extends Record<string, never> ? object : never)
  ? [input?: Input, options?: CallOptions]
  : [input: Input, options?: CallOptions]

/**
 * Calls one operation. Throws ProblemError if the service refuses it, UnexpectedAnswer if something other than the
 * service answers, and what fetch throws. Content is answered as the Response of fetch, whose body is not read yet.
 */
export interface Method<Input, Answer> {
  (...args: Arguments<Input>): Call<Answer>
}

/** An operation that answers a list, or a page of one. */
export interface ListMethod<Input, Answer, Item> extends Method<Input, Answer> {
  /** Yields the items of all pages, from the given cursor on, and requests each page when it is needed. */
  each(...args: Arguments<Input>): Items<Item>
}

/** An operation whose parameter `format` says in which form it answers: content, or JSON. */
export interface FormatMethod<Input, Answer> {
  (
    input: Input & { format: Exclude<FormatOf<Input>, 'json' | undefined> },
    options?: CallOptions,
  ): Call<Response>
  (input: Input & { format?: 'json' | undefined }, options?: CallOptions): Call<Answer>
}
type FormatOf<Input> = Input extends { format?: infer Format } ? Format : never
