import { clientMethodOf, type Operation } from '@wbs/contract/operation'
import { createClient, type CallOptions, type ClientSettings } from '@wbs/sdk'
import type { Sending } from './watched-fetch.ts'

/** A method of the client, whose types only a caller with a fixed operation can use. */
export interface AnyMethod {
  (input: object, options: CallOptions): Promise<unknown>
  /** Of an operation that answers pages. */
  each?: (input: object, options: CallOptions) => AsyncIterable<unknown>
}

/** The methods of a client, by the operation that each calls. */
export function methodsOf(access: ClientSettings, sending: Sending): (op: Operation) => AnyMethod {
  const client = createClient({ ...access, fetch: sending.fetch })
  const methods = client as unknown as Readonly<Record<string, AnyMethod>>
  return ({ name }) => methods[clientMethodOf(name)] as AnyMethod
}
