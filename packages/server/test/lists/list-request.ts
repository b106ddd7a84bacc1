import type { ListWorld } from './list-fixture.ts'

/** Sends a request as the member, or as somebody else in their Workspace, for tests that look at status and headers. */
export const listRequest = (
  { service, workspace_id, people }: ListWorld,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
) =>
  service.request(`/v1/lists${path}`, {
    method,
    token: people.member.token,
    headers: {
      'svc-workspace-id': workspace_id,
      ...(method !== 'GET' && { 'idempotency-key': crypto.randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
