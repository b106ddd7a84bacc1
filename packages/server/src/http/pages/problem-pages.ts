import { problems, type ProblemCode } from '@wbs/contract/problems'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../call/problem.ts'
import { documentSender } from './serve-document.ts'

/** Serves a page at the URL of each problem's `type`, which explains it. */
export function addProblemPages(server: FastifyInstance): void {
  const senders = new Map(
    (Object.keys(problems) as ProblemCode[]).map(code => [
      code as string,
      documentSender({ type: 'text/html; charset=utf-8', body: () => pageOf(code) }),
    ]),
  )
  server.get<{ Params: { code: string } }>('/problems/:code', async (request, reply) => {
    const send = senders.get(request.params.code)
    if (!send) throw new Problem('not_found', 'There is no problem with this code.', {})
    return send(request, reply)
  })
}

function pageOf(code: ProblemCode): string {
  const { status, title, retryable } = problems[code]
  const again = retryable ? 'may succeed' : 'will not succeed'
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${code}</title>
<h1>${code}</h1>
<p>${title}. The status is ${status}.</p>
<p>The same request, sent again unchanged, ${again}. <code>detail</code> says what was wrong, and if the request was
invalid, <code>errors</code> points to each fault.</p>
<p><a href="/docs">The reference</a> has all answers of each operation.</p>
</html>
`
}
