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
  create_business:           [401, 401, 400, 403, 403, 403, 403, 201, 201, 201, 201, 403, 403],
  update_business:           [401, 401, 400, 403, 403, 403, 403, 200, 200, 200, 200, 403, 403],
  publish_business:          [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  withdraw_business:         [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  link_business:             [401, 401, 400, 403, 403, 403, 403, 201, 201, 201, 201, 403, 403],
  unlink_business:           [401, 401, 400, 403, 403, 403, 403, 200, 200, 200, 200, 403, 403],
  create_observation:        [401, 401, 400, 403, 403, 403, 403, 201, 201, 201, 201, 403, 403],
  list_observations:         [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  retract_observation:       [401, 401, 400, 403, 403, 403, 403, 200, 200, 200, 200, 403, 403],
  set_workspace_profile:     [401, 401, 400, 403, 403, 403, 403, 200, 200, 200, 200, 403, 403],
  get_workspace_profile:     [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  create_workspace:          [401, 401, 400, 403, 201, 201, 201, 201, 201, 201, 403, 403, 403],
  list_workspaces:           [401, 401, 400, 200, 200, 200, 200, 200, 200, 200, 403, 403, 403],
  get_workspace:             [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  get_me:                    [401, 401, 400, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  update_workspace:          [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  close_workspace:           [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 403, 403, 403],
  list_team_members:         [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  get_team_member:           [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  update_membership:         [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  remove_membership:         [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  leave_team:                [401, 401, 400, 403, 403, 403, 200, 200, 200, 409, 403, 403, 403],
  transfer_ownership:        [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 403, 403, 403],
  list_api_keys:             [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 403, 403, 403],
  get_api_key:               [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 403, 403, 403],
  create_api_key:            [401, 401, 400, 403, 403, 403, 403, 403, 201, 201, 403, 403, 403],
  update_api_key:            [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 403, 403, 403],
  rotate_api_key:            [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 403, 403, 403],
  revoke_api_key:            [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 403, 403, 403],
  get_command:               [401, 401, 400, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  create_room:               [401, 401, 400, 403, 403, 403, 403, 201, 201, 201, 201, 403, 403],
  get_room:                  [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  list_rooms:                [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  update_room:               [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 200, 403, 403],
  archive_room:              [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 200, 403, 403],
  restore_room:              [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 200, 403, 403],
  attach_room_resource:      [401, 401, 400, 403, 403, 403, 403, 200, 200, 200, 200, 403, 403],
  detach_room_resource:      [401, 401, 400, 403, 403, 403, 403, 200, 200, 200, 200, 403, 403],
  get_room_access:           [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  list_participants:         [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  invite_participant:        [401, 401, 400, 403, 403, 403, 403, 201, 201, 201, 201, 403, 403],
  get_participant:           [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  update_participant:        [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 200, 403, 403],
  revoke_participant:        [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 200, 403, 403],
  resend_invitation:         [401, 401, 400, 403, 403, 403, 403, 200, 200, 200, 200, 403, 403],
  leave_room:                [401, 401, 400, 403, 403, 403, 409, 409, 200, 200, 403, 403, 403],
  break_glass:               [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 403, 403, 403],
  list_team_invitations:     [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  create_team_invitation:    [401, 401, 400, 403, 403, 403, 403, 403, 201, 201, 201, 403, 403],
  get_team_invitation:       [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  resend_team_invitation:    [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  revoke_team_invitation:    [401, 401, 400, 403, 403, 403, 403, 403, 200, 200, 200, 403, 403],
  inspect_invitation:        [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  accept_invitation:         [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 403, 403, 403],
  decline_invitation:        [401, 401, 400, 403, 403, 403, 403, 403, 403, 200, 403, 403, 403],
  list_events:               [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  get_event:                 [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  list_event_changes:        [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
  stream_events:             [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 403, 403],
}

/** The same for the operations that may be called in a Workspace, when they are: with Olivia's in the header. */
// oxfmt-ignore
export const matrixInWorkspace: Partial<Record<OperationName, Row>> = {
  //                          nobody  bad  both anon outs remd view memb admn ownr key weak foreign
  search_businesses:         [200, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 200, 403],
  get_business:              [200, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 200, 403],
  get_command:               [401, 401, 400, 403, 403, 403, 200, 200, 200, 200, 200, 200, 403],
}
