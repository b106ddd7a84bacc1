import type { Client } from '@wbs/sdk'
import { addBusiness } from '../harness/businesses.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'
import type { TestServiceOptions } from '../harness/service.ts'
import { bakery, type NewValuation } from './valuation-document.ts'

export type Valuation = Awaited<ReturnType<Client['getValuation']>>['data']

/** A Workspace with members and guests, in which tests make valuations. */
export interface ValuationWorld extends RoomWorld {
  client(name: keyof RoomWorld['people']): Client
  /** The client of an API key of the owner with these scopes. */
  withKey(scopes: readonly Parameters<RoomWorld['service']['apiKey']>[2][number][]): Promise<Client>
  /** A published Business that is linked to the Workspace. */
  business(name?: string): Promise<`biz_${string}`>
  /** A draft of the member. */
  draft(about?: Partial<NewValuation>): Promise<Valuation>
  /** A completed valuation of the member. */
  completed(about?: Partial<NewValuation>): Promise<Valuation>
  /** The events of a valuation, in order. */
  historyOf(valuation_id: string): Promise<HistoryEvent[]>
}

export interface HistoryEvent {
  type: string
  feed: string
  room_id: string | null
  subject: { name: string | null }
  data: Record<string, unknown>
}

export async function makeValuationWorld(options: TestServiceOptions = {}): Promise<ValuationWorld> {
  const world = await makeRoomWorld(options)
  const { service, workspace_id, people, as } = world
  const create = async (document: NewValuation) => (await as(people.member).createValuation(document)).data
  return {
    ...world,
    client: name => as(people[name]),
    async withKey(scopes) {
      const { secret } = await service.apiKey(workspace_id, people.owner, scopes)
      return service.client({ api_key: secret, workspace_id })
    },
    async business(name = 'Corner Bakery') {
      const business_id = await addBusiness(service, { name, classifications: [{ code: '311811' }] })
      await service.link(workspace_id, business_id, people.owner)
      return business_id
    },
    draft: (about = {}) => create(bakery(about)),
    completed: (about = {}) => create(bakery({ run: true, ...about })),
    historyOf: valuation_id =>
      service.sql(
        `select type, feed, room_id, subject, data from events where workspace_id = $1 and subject ->> 'id' = $2 order by position`,
        [workspace_id, valuation_id],
      ),
  }
}
