import { Readable } from 'node:stream'
import { createInspector, type Inspection } from '../../src/inspection/inspector.ts'
import type { InspectionLimits } from '../../src/inspection/limits.ts'
import { quietLog } from '../harness/quiet-log.ts'

/** A content of these bytes, delivered in small chunks. */
export const contentOf = (declared_type: string, bytes: Buffer | string, name = 'file') => ({
  declared_type,
  name,
  size_bytes: Buffer.byteLength(bytes),
  open: () => Promise.resolve(Readable.from(chunksOf(Buffer.from(bytes as string)))),
})

function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_521) yield bytes.subarray(at, at + 65_521)
}

/** Inspects one content by an inspector of its own. */
export async function inspect(
  declared: string,
  bytes: Buffer | string,
  limits: Partial<InspectionLimits> = {},
): Promise<Inspection> {
  const inspector = createInspector({ clamd: null, limits, log: quietLog })
  try {
    return await inspector.inspect(contentOf(declared, bytes))
  } finally {
    await inspector.close()
  }
}
