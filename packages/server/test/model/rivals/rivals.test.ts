import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { proofRuns } from '../../harness/proof.ts'
import { randomFrom } from '../random.ts'
import { makeRivalWorld, type RivalWorld } from './rival-world.ts'
import { changes, RivalWalk } from './rival-walk.ts'

// RIVALS, RIVAL_STEPS and RIVAL_SEED make a larger walk, or repeat one.
const count = Number(process.env['RIVALS'] ?? 4)
const steps = Number(process.env['RIVAL_STEPS'] ?? proofRuns({ full: 300, short: 60 }))
const seed = Number(process.env['RIVAL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

describe(`rival guests of a Room that hides them (RIVAL_SEED=${seed})`, () => {
  let world: RivalWorld
  const random = randomFrom(seed)

  before(async () => {
    world = await makeRivalWorld(count)
  })
  after(() => world.close())

  it(`are shown nothing that another one wrote or did in ${steps} steps, by no read, event or mail`, async t => {
    const walk = new RivalWalk(world, random)
    const operationOf = (name: string) => changes.find(one => one.name === name)
    await walk.rememberStarts()
    for (const rival of world.rivals) await walk.bid(rival)
    for (let step = 0; step < steps; step++) {
      if (step % 5 === 0) await walk.commonTask()
      await walk.refresh()
      const rival = random.pick(world.rivals)
      if (random.chance(0.25)) await walk.insiderChanges()
      else await walk.rivalChanges(rival, often(operationOf))
      await walk.rivalReads(random.pick(world.rivals))
    }
    // What chance did not bring about.
    for (const name of expected)
      for (let tries = 0; tries < 100 && !walk.done.has(name); tries++) {
        await walk.refresh()
        await walk.rivalChanges(random.pick(world.rivals), operationOf(name))
      }
    await walk.refresh()
    for (const rival of world.rivals) await walk.rivalReadsAll(rival, proofRuns({ full: 12, short: 4 }))
    walk.readMails()
    t.diagnostic(`done by rivals: ${[...walk.done].map(([name, times]) => `${name} × ${times}`).join(', ')}`)
    t.diagnostic(`answers to rivals: ${walk.looked}, mails: ${world.mails.length}`)
    assert.deepEqual(walk.leaks.slice(0, 5), [], `${walk.leaks.length} leaks`)
    for (const name of expected) assert.ok(walk.done.has(name), `no rival came to ${name}`)
  })

  /** Some changes more often than others, so that a short walk has them. */
  const often = (operationOf: (name: string) => (typeof changes)[number] | undefined) =>
    random.chance(0.5) ? operationOf(random.pick(expected)) : undefined
})

/** What every walk must come to. */
const expected = [
  'complete_task',
  'cancel_task',
  'update_task',
  'create_task',
  'create_task_comment',
  'create_text_file',
  'update_room_file',
  'request_approval',
]
