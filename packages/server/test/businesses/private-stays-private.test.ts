import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sourceKinds } from '@wbs/contract/businesses/input'
import fc from 'fast-check'
import { twoWorkspaces, type TwoWorkspaces } from './workspace-fixture.ts'
import { proofRuns } from '../harness/proof.ts'

// A canary is text that stands nowhere unless it was let through: each place where Olivia's Workspace can put text of
// its own has one with the name of the place in it.
const includes = ['classifications', 'locations', 'identifiers', 'provenance'] as const
const runs = proofRuns({ full: 25, short: 4 })

type Step =
  | { kind: 'edit'; fields: string[]; sourced: boolean }
  | { kind: 'publish' | 'withdraw' | 'profile' | 'observe' | 'retract' | 'relink' }

const facts = [
  'name',
  'legal_name',
  'description',
  'public_email',
  'website_url',
  'city',
  'postal_code',
  'line1',
] as const
type Fact = (typeof facts)[number]

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('edit' as const),
        fields: fc.subarray([...facts], { minLength: 1 }),
        sourced: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc
        .constantFrom('publish', 'withdraw', 'profile', 'observe', 'retract', 'relink')
        .map(kind => ({ kind })),
    },
  ),
  { minLength: 4, maxLength: 12 },
)

describe('private data', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  let made = 0
  const valueOf = (fact: Fact, canary: string) =>
    ({
      public_email: `${canary}@a.example`,
      website_url: `https://${canary}.example/`,
      postal_code: canary.slice(-20),
    })[fact as string] ?? canary

  /** A Business of Olivia's Workspace to which all these steps are applied. */
  class Story {
    readonly #secrets = new Map<string, string>()
    /** The canary in each fact now. It is private until it is published. */
    readonly #facts = new Map<Fact, string>()
    #id = ''
    #revision = 1
    #published = false
    #profile = 0
    #observations: string[] = []

    canary(place: string): string {
      const text = `canary${(made += 1).toString(36)}x${Math.random().toString(36).slice(2, 12)}`
      this.#secrets.set(place + made, text)
      return text
    }
    get id() {
      return this.#id
    }
    async begin(): Promise<void> {
      const canary = this.canary('name')
      this.#facts.set('name', canary)
      this.#id = (await world.us.createBusiness({ name: canary, match_policy: 'force_new' })).data.id
    }

    async do(step: Step): Promise<void> {
      const business_id = this.#id
      const at = { business_id, expected_revision: this.#revision }
      switch (step.kind) {
        case 'edit': {
          const given = Object.fromEntries(
            step.fields.map(name => [name, valueOf(name as Fact, this.canary(name))]),
          )
          const sourced = step.sourced || this.#published
          const source = { kind: 'statement', note: this.canary('note') } as const
          await world.us.updateBusiness({ ...at, ...given, ...(sourced && { source }) })
          this.#revision++
          for (const name of step.fields) this.#facts.set(name as Fact, String(given[name]))
          return
        }
        case 'publish':
          if (this.#published) return
          await world.us.publishBusiness(at)
          this.#revision++
          this.#published = true
          return
        case 'withdraw':
          if (!this.#published) return
          await world.us.withdrawBusiness(at)
          this.#revision++
          this.#published = false
          return
        case 'profile':
          await world.us.setWorkspaceProfile({
            business_id,
            logo_url: `https://${this.canary('logo')}.example/l.png`,
            notes: this.canary('notes'),
            expected_revision: this.#profile++,
          })
          return
        case 'observe': {
          const { data } = await world.us.createObservation({
            business_id,
            key: this.canary('key'),
            value: { value_type: 'text', value: this.canary('value') },
            observed_on: '2026-01-01',
            source: {
              kind: 'website',
              url: `https://${this.canary('url')}.example`,
              note: this.canary('observation_note'),
            },
          })
          this.#observations.push(data.observation_id)
          return
        }
        case 'retract': {
          const observation_id = this.#observations.pop()
          if (observation_id) await world.us.retractObservation({ business_id, observation_id })
          return
        }
        case 'relink': {
          const { workspace_id } = world
          await world.us.unlinkBusiness({ workspace_id, business_id })
          await world.us.linkBusiness({ workspace_id, business_id })
        }
      }
    }

    /** The canaries that nobody else may read now: all but the present facts of a published Business. */
    secrets(): string[] {
      const open = this.#published ? [...this.#facts.values()] : []
      return [...this.#secrets.values()].filter(text => !open.some(one => one.includes(text.slice(-14))))
    }
    get name() {
      return this.#facts.get('name') as string
    }
  }

  /** The answers to all requests of strangers about a Business, refusals included. */
  async function askedByStrangers(id: string, names: readonly string[]): Promise<string> {
    const { service, sams, sam, workspace_id } = world
    const viewer = { authorization: `Bearer ${sam.token}`, 'svc-workspace-id': sams }
    const foreign = { authorization: `Bearer ${sam.token}`, 'svc-workspace-id': workspace_id }
    const json = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
    const heard: string[] = []
    const ask = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
      const answer = await service.request(path, { ...init, headers })
      // `instance` repeats the path that the caller sent.
      heard.push(answer.text.replaceAll(/"instance":"[^"]*"/g, ''), JSON.stringify([...answer.headers]))
    }
    for (const headers of [{}, viewer, foreign]) {
      for (const name of names) await ask(`/v1/businesses?query=${name.slice(-10)}`, headers)
      await ask(`/v1/businesses/${id}?include=${includes.join(',')}`, headers)
      await ask(`/v1/businesses/${id}/observations?include_retracted=true`, headers)
      await ask(`/v1/businesses/${id}/workspace-profile`, headers)
    }
    await ask(`/v1/workspaces/${sams}/businesses?limit=100`, viewer)
    await ask(`/v1/workspaces/${workspace_id}/businesses?limit=100`, foreign)
    const change = (method: string, path: string, body: object) =>
      ask(
        path,
        { ...viewer, ...json, 'idempotency-key': crypto.randomUUID() },
        { method, body: JSON.stringify(body) },
      )
    await change('PATCH', `/v1/businesses/${id}`, { expected_revision: 1, city: 'Macon' })
    await change('POST', `/v1/businesses/${id}/publish`, { expected_revision: 1 })
    await change('POST', `/v1/businesses/${id}/withdraw`, { expected_revision: 1 })
    await change('PUT', `/v1/businesses/${id}/workspace-profile`, { expected_revision: 9, notes: 'x' })
    return heard.join('\n')
  }

  it(`is never told to strangers, nor to a Workspace that has the same Business (${runs} stories)`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), fc.integer({ min: 0, max: 4 }), async (all, theyLinked, when) => {
        const story = new Story()
        await story.begin()
        for (const [i, step] of all.entries()) {
          await story.do(step)
          if (theyLinked && i >= when)
            await world.them
              .linkBusiness({ workspace_id: world.sams, business_id: story.id })
              .catch(() => undefined) // it was hidden from them
        }
        const told = await askedByStrangers(story.id, [story.name])
        for (const secret of story.secrets()) assert.ok(!told.includes(secret.slice(-14)), secret)
        await world.them
          .unlinkBusiness({ workspace_id: world.sams, business_id: story.id })
          .catch(() => undefined)
      }),
      { numRuns: runs },
    )
  })

  it('is visible to its owner, which proves that the canaries exist', async () => {
    const story = new Story()
    await story.begin()
    await story.do({ kind: 'edit', fields: [...facts], sourced: true })
    await story.do({ kind: 'profile' })
    await story.do({ kind: 'observe' })
    const { us, workspace_id } = world
    const seen = JSON.stringify([
      await us.getBusiness({ business_id: story.id, include: [...includes] }),
      await us.listWorkspaceBusinesses({ workspace_id, name: story.name }),
      await us.listObservations({ business_id: story.id }),
      await us.getWorkspaceProfile({ business_id: story.id }),
    ])
    const found = story.secrets().filter(secret => seen.includes(secret.slice(-14)))
    // Not the first name, nor the note, which is stored with its author.
    assert.equal(found.length, story.secrets().length - 2)
  })

  it('appears as a value in no event, receipt or log line', async () => {
    const story = new Story()
    await story.begin()
    await story.do({ kind: 'publish' })
    for (const step of ['profile', 'observe', 'retract'] as const) await story.do({ kind: step })
    await story.do({ kind: 'edit', fields: ['description', 'line1', 'public_email'], sourced: true })
    const rows = await world.service.sql(
      `select e.data, e.about from events e where e.workspace_id = $1
       union all select to_jsonb(r.changed), null from receipts r where r.workspace_id = $1`,
      [world.workspace_id],
    )
    const kept = JSON.stringify(rows) + world.service.logged.join('\n')
    for (const secret of story.secrets()) assert.ok(!kept.includes(secret.slice(-14)), secret)
  })

  it('of a source is private except for kind, address and day', async () => {
    for (const kind of sourceKinds) {
      const { data } = await world.us.createBusiness({
        name: `Sourced by ${kind}`,
        match_policy: 'force_new',
      })
      const business_id = data.id
      const source = { kind, url: 'https://said.example/', note: 'canary-note' }
      await world.us.updateBusiness({ business_id, expected_revision: 1, city: 'Macon', source })
      await world.us.publishBusiness({ business_id, expected_revision: 2 })
      const read = await world.them.getBusiness({ business_id, include: ['provenance'] })
      assert.deepEqual(
        read.data.provenance?.map(one => Object.values(one).slice(0, 4)),
        [[business_id, 'city', kind, 'https://said.example/']],
      )
      for (const secret of ['canary-note', world.olivia.user_id, world.workspace_id, 'Olivia'])
        assert.ok(!JSON.stringify(read).includes(secret))
    }
  })
})
