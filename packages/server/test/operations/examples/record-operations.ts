import { startTestService, type TestService } from '../../harness/service.ts'
import { operationsOf, slices, type NamedOperation, type Slice } from '../samples.ts'
import { makeWorld, type World } from '../world.ts'
import { performSample, type RawExample } from './raw-answers.ts'
import { shortExample } from './short-example.ts'
import { stableExample } from './stable-example.ts'

/** The examples of the operations of a slice, by operation, as the document has them. */
export type RecordedSlice = Record<string, RawExample>

/** Performs the sample of every operation of a slice in a new world, and tells what was sent and answered. */
export async function recordSlice(service: TestService, slice: Slice): Promise<RecordedSlice> {
  const world = await makeWorld(service)
  const ranAt = Date.now()
  const recorded: RecordedSlice = {}
  for (const operation of inOrder(operationsOf(slice))) {
    const raw = await performSample(world, operation)
    recorded[operation.name] = stableExample(short(raw), { known: knownOf(world), ranAt })
  }
  return recorded
}

/** Everything that can be recorded, by slice. Each has a service of its own, so that a search finds the same every time. */
export async function recordAll(): Promise<Record<Slice, RecordedSlice>> {
  const all: Partial<Record<Slice, RecordedSlice>> = {}
  for (const slice of slices) {
    const service = await startTestService()
    try {
      all[slice] = await recordSlice(service, slice)
    } finally {
      await service.close()
    }
  }
  return all as Record<Slice, RecordedSlice>
}

/** Changes first, so that lists show what they made. */
const inOrder = (operations: readonly NamedOperation[]) => [
  ...operations.filter(({ kind }) => kind === 'mutation'),
  ...operations.filter(({ kind }) => kind === 'query'),
]

const short = ({ answers, ...sent }: RawExample): RawExample => ({
  ...sent,
  answers: shortExample(answers) as RawExample['answers'],
})

/** What all examples call the same. */
export const knownOf = ({ workspace_id, published_id, people, sam }: World) =>
  new Map([
    [workspace_id, 'the Workspace'],
    [published_id, 'the Business'],
    [sam.user_id, sam.name],
    ...Object.values(people).map(({ user_id, name }): [string, string] => [user_id, name]),
  ])
