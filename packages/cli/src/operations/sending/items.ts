import type { CallOptions } from '@wbs/sdk'
import { CommandError } from '../../command-error.ts'
import { largestPage } from '../command/list-shape.ts'
import type { AnyMethod } from './call.ts'

/** The items of all pages, or the first so many. Throws what the client throws, and CommandError if the list has no pages. */
export async function* itemsOf(
  method: AnyMethod,
  input: object,
  options: CallOptions,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<unknown, void, undefined> {
  if (!method.each)
    throw new CommandError('This list cannot be read as a whole. Leave out --all and --limit.')
  let left = most
  for await (const item of method.each({ limit: largestPage, ...input }, options)) {
    yield item
    left--
    if (left <= 0) return
  }
}
