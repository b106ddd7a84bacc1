import type { Role, Scope } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import { addBusiness, type BusinessFacts } from '../harness/businesses.ts'
import {
  startTestService,
  type Person,
  type TestService,
  type TestServiceOptions,
} from '../harness/service.ts'

type List = Awaited<ReturnType<Client['createList']>>['data']

/** A Workspace with a member of each role, in which tests make Lists. */
export interface ListWorld {
  service: TestService
  workspace_id: string
  people: Record<Role, Person>
  /** A person's client in the Workspace. */
  as(person: Person): Client
  /** The client of an API key of the owner with these scopes. */
  withKey(scopes: readonly Scope[]): Promise<Client>
  /** A List that the member created. */
  list(rule: object, columns?: Parameters<Client['createList']>[0]['columns']): Promise<List>
  /** A Business, published by default. */
  business(facts?: Partial<BusinessFacts>): Promise<string>
  /** A Business that the Workspace has linked, a draft by default. */
  linked(facts?: Partial<BusinessFacts>): Promise<string>
  /** The ids of all members, page by page. */
  members(list_id: string, client?: Client): Promise<string[]>
  close(): Promise<void>
}

export const definitionOf = (rule: object) =>
  ({ schema_version: 'svc.list.v1', subject_type: 'business', rule }) as const

/** A leaf of a rule. */
export const where = (field: string, operator: string, value: unknown) => ({
  kind: 'field',
  field,
  operator,
  value,
})

export async function makeListWorld(options: TestServiceOptions = {}): Promise<ListWorld> {
  const service = await startTestService(options)
  const people = {
    owner: service.person('Olivia'),
    admin: service.person('Adam'),
    member: service.person('Mia'),
    viewer: service.person('Viktor'),
  }
  const { owner, ...others } = people
  const workspace_id = await service.workspace('Harbor', owner, others)
  const as = ({ token }: Person) => service.client({ access_token: token, workspace_id })
  const member = as(people.member)
  const business = (facts: Partial<BusinessFacts> = {}) =>
    addBusiness(service, { name: 'Harbor Air', ...facts })
  return {
    service,
    workspace_id,
    people,
    as,
    async withKey(scopes) {
      const { secret } = await service.apiKey(workspace_id, owner, scopes)
      return service.client({ api_key: secret, workspace_id })
    },
    list: async (rule, columns = []) =>
      (await member.createList({ name: 'Candidates', definition: definitionOf(rule), columns })).data,
    business,
    async linked(facts = {}) {
      const id = await business({ publication_status: 'draft', ...facts })
      await service.link(workspace_id, id, owner)
      return id
    },
    async members(list_id, client = member) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const { data, page } = await client.listListEntries({
          list_id,
          limit: 100,
          ...(cursor && { cursor }),
        })
        found.push(...data.map(entry => entry.member_id))
        cursor = page.cursor ?? undefined
      } while (cursor !== undefined)
      return found
    },
    close: () => service.close(),
  }
}
