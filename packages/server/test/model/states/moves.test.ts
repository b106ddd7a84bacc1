import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { nextState, type StateMachine } from '@wbs/contract/state-machine'
import {
  ofOperators,
  ofService,
  shownAs,
  stateMachines,
  type MachineName,
} from '@wbs/contract/state-machines'
import { isProblem } from '@wbs/sdk'
import { proofTenth } from '../../harness/proof.ts'
import type { Driver, Drivers, Subject } from './driver.ts'
import { makeDrivers } from './drivers.ts'
import { makeStateWorld, type StateWorld } from './state-world.ts'

describe('each move from each state', () => {
  let world: StateWorld
  let drivers: Drivers

  before(async () => {
    world = await makeStateWorld()
    drivers = makeDrivers(world)
  })
  after(() => world.close())

  for (const name of Object.keys(stateMachines) as MachineName[])
    describe(`of the machine ${name}`, () => {
      const machine: StateMachine = stateMachines[name]
      const all = machine.states.flatMap(from =>
        Object.keys(machine.moves).map(move => ({ from, move, to: nextState(machine, move, from) })),
      )
      for (const { from, move, to } of all)
        if (to !== undefined) it(`${from}: ${move} leads to ${to}`, () => leadsTo(name, from, move, to))
      // Nothing keeps operators from what they do.
      const refused = all.filter(({ move, to }) => to === undefined && !includes(ofOperators[name], move))
      for (const { from, move } of refused.length > 0 ? proofTenth(refused) : [])
        it(`${from}: ${move} is refused and changes nothing`, () => isRefused(name, from, move))
    })

  /** A new resource, brought into a state by the fewest moves. */
  async function madeIn(name: MachineName, state: string): Promise<Subject> {
    const driver: Driver = drivers[name]
    const subject = await driver.make()
    for (const move of wayTo(stateMachines[name], state)) await moveOf(subject, move)()
    assert.equal((await subject.look()).state, state)
    return subject
  }

  async function leadsTo(name: MachineName, from: string, move: string, to: string): Promise<void> {
    const subject = await madeIn(name, from)
    const before = await subject.look()
    await moveOf(subject, move)()
    const { state, revision } = await subject.look()
    assert.equal(state, to)
    if (before.revision === undefined || revision === undefined) return
    if (to !== from && !isTime(move)) assert.ok(revision > before.revision, 'The revision was not raised.')
    else assert.ok(revision >= before.revision)
  }

  async function isRefused(name: MachineName, from: string, move: string): Promise<void> {
    const driver: Driver = drivers[name]
    const subject = await madeIn(name, from)
    const before = await subject.look()
    const traces = await world.traces()
    if (includes(ofService[name], move)) await moveOf(subject, move)()
    else {
      const expected = driver.refusal?.(move, from) ?? conflict(name, from)
      const error = await moveOf(subject, move)().then(
        () => assert.fail(`It was not refused; ${expected.code} was expected.`),
        (reason: unknown) => reason,
      )
      if (!isProblem(error, expected.code)) throw error
      if (expected.current_status !== undefined)
        assert.equal((error.problem as { current_status?: string }).current_status, expected.current_status)
      assert.deepEqual(await world.traces(), traces)
    }
    assert.deepEqual(await subject.look(), before)
  }
})

function includes(moves: readonly string[] | undefined, move: string): boolean {
  return moves?.includes(move) === true
}

const moveOf = (subject: Subject, move: string) => subject.moves[move] as () => Promise<unknown>

/** Nothing is written when something expires: who looks at the clock sees it. */
const isTime = (move: string): boolean => move === 'expire'

const conflict = (name: MachineName, from: string) => ({
  code: 'state_conflict' as const,
  current_status: (shownAs[name] as Record<string, string> | undefined)?.[from] ?? from,
})

/** The fewest moves from the initial state to another one. Throws if there are none. */
function wayTo(machine: StateMachine, state: string): string[] {
  const ways = new Map<string, string[]>([[machine.initial, []]])
  for (const [from, way] of ways)
    for (const move of Object.keys(machine.moves)) {
      const to = nextState(machine, move, from)
      if (to !== undefined && !ways.has(to)) ways.set(to, [...way, move])
    }
  const way = ways.get(state)
  if (!way) throw new Error(`No moves lead to ${state}.`)
  return way
}
