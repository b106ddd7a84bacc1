import type { ProblemCode } from '@wbs/contract/problems'

/**
 * The facts of a request that has ended. The log and the metrics know a request by these alone. Nothing in them is text of
 * the client: a Workspace that the client named is here only if it is a UUID, and the caller need not belong to it.
 */
export interface FinishedRequest {
  /** The header SVC-Request-Id of the answer. */
  request_id: string
  /** Null for a path that is no operation. */
  operation: string | null
  /** Null if no request line was read. */
  method: string | null
  /** The path of the route, such as `/v1/rooms/{room_id}`. Null if there is no route. */
  path_pattern: string | null
  /** 499 if the connection ended before an answer began. */
  status: number
  /** Also the reason why a stream ended that had begun with 200. */
  problem_code?: ProblemCode | undefined
  /** The limit that was reached, if the request was refused because of one: a policy, or what of this node is full. */
  limit?: string | undefined
  /** From its arrival until its answer was sent; of a stream, until it ended. 0 for what never became a request. */
  milliseconds: number
  /** `user:…` or `key:…`, as principalOf() names them. */
  principal?: string | undefined
  /** The Workspace that the request names, or that its API key belongs to. */
  workspace_id?: string | undefined
  /** In the form that the settings allow; by default there is none. */
  client_address?: string | undefined
  /** The trace that has its spans; absent if it is not traced. */
  trace_id?: string | undefined
  /** Whether the answer is the stored one of an earlier request. */
  replayed: boolean
  /** Whether the connection ended before the whole answer was sent. */
  incomplete: boolean
  /** Why it never became a request: the code of Node's HTTP parser. */
  parser_code?: string | undefined
}

/** Called once for each request, when it has ended. */
export type OnFinished = (request: FinishedRequest) => void
