import type { IdentityLog } from '../../src/identity/log.ts'

/** A clock that stands still until it is moved. */
export function manualClock(start = new Date('2026-11-20T12:00:00Z')) {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance(seconds: number) {
      time += seconds * 1000
    },
  }
}

/** A log that keeps its lines. */
export function recordingLog() {
  const lines: { level: string; fields: object; message: string }[] = []
  const at = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields, message })
  const log: IdentityLog = { info: at('info'), warn: at('warn'), error: at('error') }
  return { ...log, lines }
}
