import type { EventData } from 'node:test'

/** Which test file an event is from; Node tells it, its types do not. It lacks where the event is about the file. */
interface FromFile {
  entryFile?: string
}

export type Completed = EventData.TestComplete & FromFile
export type Failed = EventData.TestFail & FromFile
export type Dequeued = EventData.TestDequeue & FromFile
export type Diagnosed = EventData.TestDiagnostic & FromFile
export type Enqueued = EventData.TestEnqueue & FromFile

/** What Node's runner says about a failure, of which `cause` is what the test threw. */
export interface RunnerError extends Error {
  failureType?: string
  exitCode?: number | null
  signal?: string | null
}
