import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
const GIB = 1024 ** 3
/** Twice the largest size that the files of a run had. */
const ROOM = 3 * GIB
/** The memory that the processes of a run need in addition. */
const MEMORY = 3 * GIB

/**
 * Creates the folder for the temporary files of a test run. It is in memory if that has room, because each database has
 * hundreds of files, which take ten times as long to create on a disk. If TMPDIR is set, the folder is there.
 */
export function makeScratchFolder(chosen = process.env['TMPDIR'], room = ROOM): string {
  const place = chosen || (hasRoom(IN_MEMORY, room) ? IN_MEMORY : tmpdir())
  const folder = mkdtempSync(join(place, 'wbs-test-'))
  // PostgreSQL may run as another user, who needs access to the programs that tests copy here.
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

/** Containers often mount it with `noexec`. */
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
