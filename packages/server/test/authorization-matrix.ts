import type { OperationName } from '@wbs/contract/registry'

/**
 * Who sends a request. `bad` stands for every credential that does not hold (credentials.ts), `both` for a token and an
 * API key at once. The people are those of operation-samples.ts. `key` may do everything in the Workspace, `weak_key`
 * has no scope, and `foreign_key` may do everything in another one.
 */
export const callers = [
  'nobody',
  'bad',
  'both',
  'anonymous',
  'outsider',
  'removed',
  'viewer',
  'member',
  'admin',
  'owner',
  'key',
  'weak_key',
  'foreign_key',
] as const
export type CallerName = (typeof callers)[number]

/** The status that each of them gets, in the order of `callers`, for the sample of the operation. */
type Row = readonly [
  nobody: number,
  bad: number,
  both: number,
  anonymous: number,
  outsider: number,
  removed: number,
  viewer: number,
  member: number,
  admin: number,
  owner: number,
  key: number,
  weak_key: number,
  foreign_key: number,
]

/**
 * What every operation answers to everybody: reviewed by people, checked by every-operation.test.ts. A new operation
 * gets a row here.
 */
// oxfmt-ignore
export const matrix: Record<OperationName, Row> = {
  //                          nobody  bad  both anon outs remd view memb admn ownr key weak foreign
  health:                    [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  ready:                     [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  search_businesses:         [200, 401, 400, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  get_business:              [200, 401, 400, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  list_workspace_businesses: [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  create_workspace:          [401, 401, 400, 403, 201, 201, 201, 201, 201, 201, 403, 403, 403],
  list_workspaces:           [401, 401, 400, 200, 200, 200, 200, 200, 200, 200, 403, 403, 403],
  get_workspace:             [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  get_me:                    [401, 401, 400, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
}

/** The same for the operations that may be called in a Workspace, when they are: with Olivia's in the header. */
// oxfmt-ignore
export const matrixInWorkspace: Partial<Record<OperationName, Row>> = {
  //                          nobody  bad  both anon outs remd view memb admn ownr key weak foreign
  search_businesses:         [200, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 200, 403],
  get_business:              [200, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 200, 403],
}
