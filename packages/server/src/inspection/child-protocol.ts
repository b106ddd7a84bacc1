import type { Findings } from './read-text.ts'
import type { InspectionLimits } from './limits.ts'
import type { FoundType, TextFormat } from './content-types.ts'

/** The argument of the child, as JSON. */
export interface ChildTask {
  /** For text that was found to be UTF-8. */
  text_format: TextFormat | null
  /** Whether it gets all of the content, or only its first bytes. */
  is_whole: boolean
  limits: InspectionLimits
}

/** The first line that the child writes, as JSON: what the bytes are. */
export interface FirstAnswer {
  mime: string | null
  is_encrypted_office: boolean
}

export interface ChildAnswer {
  /** Null if the child ended before it knew. */
  found: Omit<FoundType, 'is_utf8'> | null
  /** Null if the child ended before it had read the content. */
  findings: Findings | null
}

/** Reads the two lines of the child, and believes nothing: the content that it read may control it. */
export function readChildAnswer(output: string): ChildAnswer {
  const [first = '', second = ''] = output.split('\n', 2)
  return { found: readFound(parse(first)), findings: readFindings(parse(second)) }
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function readFound({ mime, is_encrypted_office }: Record<string, unknown>): ChildAnswer['found'] {
  const isType = mime === null || (typeof mime === 'string' && /^[a-z]+\/[a-z0-9.+_-]{1,120}$/.test(mime))
  return isType && typeof is_encrypted_office === 'boolean' ? { mime, is_encrypted_office } : null
}

function readFindings({ error, text, summary }: Record<string, unknown>): Findings | null {
  if (error !== null && error !== 'unreadable' && error !== 'type_mismatch') return null
  if (summary !== null && typeof summary !== 'string') return null
  const { status, pages } = (text ?? {}) as { status?: unknown; pages?: unknown }
  if (status !== 'ready' && status !== 'none' && status !== 'failed') return null
  if (!Array.isArray(pages) || !pages.every(page => typeof page === 'string')) return null
  return { error, text: { status, pages }, summary }
}
