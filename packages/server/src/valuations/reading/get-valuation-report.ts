import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { getValuationReport } from '@wbs/contract/valuations/reading'
import type { Bytes } from '../../call/bytes.ts'
import { implement, type QueryContext } from '../../call/implement.ts'
import type { CompletedValuation } from '../valuation-access.ts'
import { readCompleted } from '../visitors/visitor-access.ts'
import { nameOfType, resolvedAgain } from './resolved-again.ts'

export const handleGetValuationReport = implement(
  getValuationReport,
  async function getValuationReport({ valuation_id, format = 'json' }, context) {
    const completed = await readCompleted(context, valuation_id)
    const name = await nameOfSubject(context, completed)
    // A node that never writes a report does not load what writes them.
    const [{ reportOf }, { markdownReport }, { htmlReport }] = await Promise.all([
      import('../report/report.ts'),
      import('../report/markdown.ts'),
      import('../report/html/html-report.ts'),
    ])
    const report = reportOf(subjectOf(completed, name))
    if (format === 'json') return { result: { data: report } }
    const file = `${name} - valuation ${report.valuation_date}.${format}`
    return {
      bytes:
        format === 'md'
          ? textOf(markdownReport(report), file, 'text/markdown')
          : textOf(htmlReport(report), file, 'text/html'),
    }
  },
)

/** The name of the subject: that of the document, or what it names if the reader can see that. */
async function nameOfSubject(
  context: QueryContext<typeof getValuationReport>,
  { valuation }: CompletedValuation,
): Promise<string> {
  const { name, type } = valuation.document.subject
  const { standing, caller } = context
  if (typeof name === 'string') return name
  if (!standing || !caller) return nameOfType[type]
  return (await resolvedAgain({ ...context, standing, caller }, context.read, valuation)).name
}

function subjectOf({ valuation, calculation }: CompletedValuation, name: string) {
  const { valuation_id, document, result, evidence, signature, completed_at, superseded_by_id } = valuation
  return {
    valuation_id,
    name,
    document,
    result,
    calculation,
    evidence,
    signature,
    completed_at,
    superseded_by_id,
  }
}

/** Text that the service wrote, as content. */
function textOf(text: string, name: string, content_type: string): Bytes {
  const bytes = Buffer.from(text)
  return {
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    name,
    content_type,
    is_own: true,
    open: async range => Readable.from([range ? bytes.subarray(range.start, range.end) : bytes]),
  }
}
