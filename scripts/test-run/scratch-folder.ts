import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const GIB = 1024 ** 3
/** Twice what the files of a run were seen to take. */
const ROOM = 3 * GIB
/** What the processes of a run need besides. */
const MEMORY = 3 * GIB

/**
 * Makes the folder for all that a run of tests throws away. It is in memory where that has room, since each database is
 * hundreds of files, which take ten times as long to make on a disk. A TMPDIR that is set is used instead.
 */
export function makeScratchFolder(chosen = process.env['TMPDIR'], room = ROOM): string {
  const place = chosen || (hasRoom(IN_MEMORY, room) ? IN_MEMORY : tmpdir())
  const folder = mkdtempSync(join(place, 'wbs-test-'))
  // PostgreSQL may run as another user, and has to come through to the programs that tests put here.
  chmodSync(folder, 0o755)
  return folder
}

function hasRoom(folder: string, room: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize >= room && process.availableMemory() >= room + MEMORY && runsPrograms(folder)
  } catch {
    return false
  }
}

/** Containers often mount it so that no program in it can be run. */
function runsPrograms(folder: string): boolean {
  const probe = mkdtempSync(join(folder, 'wbs-probe-'))
  try {
    const program = join(probe, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}
