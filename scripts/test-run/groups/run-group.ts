import { resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readGroup } from './group.ts'
import { leaveNote } from '../notes.ts'
import { countForFile } from './open-resources.ts'
import { hooksAreDone, testsAreDone } from '../process-end.ts'

/**
 * The limit of a file, and of each of its tests that has none of its own. It is less than the runner waits for a process
 * that says nothing.
 */
const LIMIT_MS = 10 * 60_000

/**
 * Runs the files of a group, each as a suite with the name of the file. A file is loaded when the one before has ended; its
 * hooks belong to its suite.
 */
export async function runGroup(entry: string): Promise<void> {
  const environment = { ...process.env }
  for (const file of readGroup(entry).files) {
    leaveNote(entry, 'file', file)
    countForFile(file)
    await describe(file, { timeout: LIMIT_MS }, async () => {
      await import(pathToFileURL(resolve(file)).href)
    })
    restore(environment)
  }
  testsAreDone()
  hooksAreDone()
}

/** A file finds the environment as the first one did. */
function restore(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
}
