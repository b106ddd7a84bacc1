import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isProblem, ProblemError, type Client } from '@wbs/sdk'
import { isFullProof, proofRuns } from '../../harness/proof.ts'
import type { Person } from '../../harness/service.ts'
import { randomFrom } from '../random.ts'
import { makeStateWorld, type StateWorld } from '../states/state-world.ts'
import { judgeOther } from './creation-rules.ts'
import { addMade } from './made.ts'
import { all, membershipOf, type Model } from './model.ts'
import { randomMove, randomOther } from './random-asks.ts'
import { sendMove, sendOther } from './requests.ts'
import { judge, type Verdict } from './rules.ts'
import { compareShown } from './shown.ts'
import { serviceStep } from './service-steps.ts'

// MODEL_STEPS sets the number of steps, MODEL_SEED repeats a run.
const steps = Number(process.env['MODEL_STEPS'] ?? proofRuns({ full: 500, short: 120 }))
const seed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/** The owner, two members, a viewer, two guests who may be rivals, and somebody who is invited to nothing. */
const roles = { olivia: 'owner', mia: 'member', max: 'member', viktor: 'viewer' } as const
const guests = ['gail', 'gus']
const invited = [...Object.keys(roles), ...guests]
const everybody = [...invited, 'stan']

/** What a walk must come to. A short one need not come to what is rare. */
const outcomes = [
  'done',
  'not_found',
  'forbidden',
  ...(isFullProof ? ['state_conflict', 'revision_conflict'] : []),
]

describe(`everything that stands in Rooms against a plain model (MODEL_SEED=${seed})`, () => {
  let world: StateWorld
  const people = new Map<string, { person: Person; client: Client }>()
  const model: Model = { roles: new Map(Object.entries(roles)), memberships: new Map(), things: [] }
  const random = randomFrom(seed)
  const told = new Map<string, number>()

  before(async () => {
    world = await makeStateWorld()
    for (const name of everybody) {
      const person = name === 'olivia' ? world.owner : await world.somebody()
      if (name === 'mia' || name === 'max') await world.service.join(world.workspace_id, person, 'member')
      if (name === 'viktor') await world.service.join(world.workspace_id, person, 'viewer')
      people.set(name, { person, client: world.as(person) })
    }
  })
  after(() => world.close())

  const of = (name: string) => people.get(name) as { person: Person; client: Client }
  const directory = {
    emailOf: (name: string) => of(name).person.email,
    idOf: (name: string) => of(name).person.user_id,
    clientOf: (name: string) => of(name).person.client,
  }

  it(`${steps} random steps end as the model says, and show everybody what it says`, async t => {
    for (let step = 0; step < steps; step++) {
      if (random.chance(0.006)) await returnToTeam(random.pick(['mia', 'max']))
      else if (random.chance(0.12)) await serviceStep(random, world, model)
      else if (random.chance(0.45)) await other(step)
      else await move(step)
      const room = random.maybe(all(model, 'room').slice(-5))
      const who = random.pick(everybody)
      if (step % 2 === 0) await compareShown(model, who, of(who).client, room, `step ${step}`)
    }
    t.diagnostic(`outcomes: ${[...told].map(([code, count]) => `${code} × ${count}`).join(', ')}`)
    for (const code of outcomes) assert.ok((told.get(code) ?? 0) > 0, `no step came to ${code}`)
    for (const who of everybody)
      for (const room of all(model, 'room').slice(-5))
        await compareShown(model, who, of(who).client, room, 'at the end')
  })

  /** A member leaves the team and joins it again. The new membership begins without what belonged to the earlier one. */
  async function returnToTeam(name: string): Promise<void> {
    const { client, person } = of(name)
    const membership_id = (await client.leaveTeam({})).data.id
    await world.run('end_participation', { workspace_id: world.workspace_id, membership_id })
    await world.service.join(world.workspace_id, person, 'member')
    model.memberships.set(name, membershipOf(model, name) + 1)
    for (const one of all(model, 'participant'))
      if (one.person === name && one.state === 'active') one.state = 'revoked'
  }

  async function move(step: number): Promise<void> {
    const wanted = randomMove(random, model)
    if (!wanted) return
    const who = likely(name => judge(model, name, wanted))
    const what = `step ${step}: ${who} asks to ${wanted.move} a ${wanted.noun} that is ${wanted.of.state}`
    const verdict = judge(model, who, wanted)
    await agree(verdict, () => sendMove(of(who).client, wanted), what)
    if ('apply' in verdict) verdict.apply()
  }

  async function other(step: number): Promise<void> {
    const wanted = randomOther(random, model, invited)
    if (!wanted) return
    const who = likely(name => judgeOther(model, name, wanted))
    const what = `step ${step}: ${who} asks to ${wanted.kind}`
    const verdict = judgeOther(model, who, wanted)
    const made = await agree(verdict, () => sendOther(world, of(who).client, wanted, directory), what)
    if (made) addMade(model, who, wanted, made)
  }

  /** Mostly somebody who is not kept from it, since otherwise nearly every request would be refused. */
  function likely(verdictOn: (who: string) => Verdict | undefined): string {
    const isKept = (verdict: Verdict | undefined) =>
      verdict && 'refused' in verdict && ['forbidden', 'not_found'].includes(verdict.refused)
    const able = random.chance(0.75) ? everybody.filter(name => !isKept(verdictOn(name))) : []
    return random.maybe(able) ?? random.pick(everybody)
  }

  /** Sends a request, and compares what comes of it with the verdict. Gives the answer, unless it is refused. */
  async function agree<T>(
    verdict: Verdict | undefined,
    send: () => Promise<T>,
    what: string,
  ): Promise<T | undefined> {
    const expected = verdict && 'refused' in verdict ? verdict : { refused: 'done' }
    told.set(expected.refused, (told.get(expected.refused) ?? 0) + 1)
    const outcome = await send().then(
      answer => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if (expected.refused === 'done') {
      if ('error' in outcome)
        return assert.fail(`${what}: it was expected to be done, but ${String(outcome.error)}`)
      return outcome.answer
    }
    if (!('error' in outcome)) return assert.fail(`${what}: it was not refused with ${expected.refused}`)
    const { error } = outcome
    if (!(error instanceof ProblemError) || error.problem.code !== expected.refused)
      return assert.fail(`${what}: expected ${expected.refused}, but ${String(error)}`)
    if (expected.status !== undefined && isProblem(error, 'state_conflict'))
      assert.equal(error.problem.current_status, expected.status, what)
    return undefined
  }
})
