import type { Span } from '@opentelemetry/api'
import { endFailed, startClientSpan } from '../../telemetry/spans.ts'

/** A statement whose answer somebody waits for. */
interface Pending {
  name: string
  resolve(rows: object[], command: string): void
  reject(error: Error): void
}

/** Statements that only surround others. */
const surrounding = new Set(['begin', 'row_scope'])

/**
 * The statements of a batch, with one span for all of them if the current request or job is traced. One, because PostgreSQL
 * answers them together: none has a time of its own. The span has their names, and neither their texts nor their values.
 */
export function withBatchSpan<Statement extends Pending>(
  pending: readonly Statement[],
): readonly Statement[] {
  const span = startClientSpan('statements', { 'db.system.name': 'postgresql' })
  if (!span) return pending
  const summary = summaryOf(pending)
  span.updateName(summary)
  span.setAttribute('db.query.summary', summary)
  if (pending.length > 1) span.setAttribute('db.operation.batch.size', pending.length)
  let unanswered = pending.length
  const failed = (error: Error) => {
    if (unanswered > 0) fail(span, error)
    unanswered = 0
  }
  return pending.map(statement => ({
    ...statement,
    resolve(rows: object[], command: string) {
      statement.resolve(rows, command)
      if (--unanswered === 0) span.end()
    },
    reject(error: Error) {
      statement.reject(error)
      failed(error)
    },
  }))
}

function summaryOf(pending: readonly { name: string }[]): string {
  const names = pending.map(({ name }) => name || 'composed')
  const telling = names.filter(name => !surrounding.has(name))
  return (telling.length > 0 ? telling : names).join(' ')
}

function fail(span: Span, error: Error & { code?: unknown }): void {
  const { code } = error
  // The code of PostgreSQL, such as 23505, or of the network, such as ECONNRESET.
  if (typeof code === 'string') span.setAttribute('db.response.status_code', code)
  endFailed(span, typeof code === 'string' ? code : error.name)
}
