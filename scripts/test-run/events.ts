import type { EventData } from 'node:test'

/** The test file of an event, which Node's types omit. Undefined if the event is about the file itself. */
interface FromFile {
  entryFile?: string
}

export type Completed = EventData.TestComplete & FromFile
export type Failed = EventData.TestFail & FromFile
export type Dequeued = EventData.TestDequeue & FromFile
export type Diagnosed = EventData.TestDiagnostic & FromFile
export type Enqueued = EventData.TestEnqueue & FromFile

/** The failure as Node's runner reports it; `cause` is what the test threw. */
export interface RunnerError extends Error {
  failureType?: string
  exitCode?: number | null
  signal?: string | null
}
