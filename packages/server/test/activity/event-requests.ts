import assert from 'node:assert/strict'
import type { Client } from '@wbs/sdk'
import type { Activity } from './activity-fixture.ts'

/** What the tests of GET /v1/events ask, as Olivia in her Workspace. */
export const eventRequests = ({ us, service, olivia, workspace_id }: Activity) => {
  const get = (search: string) =>
    service.request(`/v1/events?${search}`, {
      token: olivia.token,
      headers: { 'svc-workspace-id': workspace_id },
    })
  return {
    get,
    /** The ids of the events of a page. */
    list: async (input: Parameters<Client['listEvents']>[0], client = us) =>
      (await client.listEvents({ limit: 100, ...input })).data.map(event => event.id),
    /** The pointer and the code of each fault of an invalid query string. */
    async faults(search: string): Promise<string[]> {
      const { status, body } = await get(search)
      assert.equal(status, 400, search)
      assert.equal(body.code, 'validation_error')
      return body.errors.map((error: { pointer: string; code: string }) => `${error.pointer} ${error.code}`)
    },
  }
}
