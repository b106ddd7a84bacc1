import { writeSync } from 'node:fs'
import { readText, type Findings } from '../read-text.ts'
import type { ChildTask, FirstAnswer } from '../child-protocol.ts'
import { Unreadable } from './document.ts'

// The permission model of Node does not cover the network: nothing here needs these.
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
  Reflect.deleteProperty(globalThis, name)

const task = JSON.parse(process.argv[2] ?? '') as ChildTask
process.on('uncaughtException', error => end(failureOf(error)))
const bytes = await readInput()
end(await inspect().catch(failureOf))

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Each reader is imported only for content of its type, because imports are most of the time of a small file. */
async function inspect(): Promise<Findings> {
  if (task.text_format !== null) {
    tell({ mime: null, is_encrypted_office: false })
    return readText(bytes, task.text_format, task.limits)
  }
  const { findType } = await import('./find-type.ts')
  const found = await findType(bytes, task)
  tell({ mime: found.mime, is_encrypted_office: found.is_encrypted_office })
  if (found.is_broken) throw new Unreadable('broken zip')
  const { readDocument } = await import('./read-document.ts')
  return readDocument(bytes, found, task)
}

/** Text that takes more than the stack has is like text that takes more than the memory: not broken, but not read. */
function failureOf(error: unknown): Findings {
  const isBroken = error instanceof Unreadable
  return {
    error: isBroken ? 'unreadable' : null,
    text: { status: isBroken ? 'none' : 'failed', pages: [] },
    summary: null,
  }
}

function tell(answer: FirstAnswer): void {
  writeAll(JSON.stringify(answer) + '\n')
}

function end(findings: Findings): void {
  writeAll(JSON.stringify(findings) + '\n')
  process.exit(0)
}

/** Writes synchronously, so that all is written before the process ends. */
function writeAll(text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
