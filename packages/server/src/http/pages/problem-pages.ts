import { problems, type ProblemCode } from '@wbs/contract/problems'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../call/problem.ts'

/** Serves a page at the URL of each problem's `type`, which explains it. */
export function addProblemPages(server: FastifyInstance): void {
  server.get<{ Params: { code: string } }>('/problems/:code', async ({ params }, reply) => {
    if (!Object.hasOwn(problems, params.code))
      throw new Problem('not_found', 'There is no problem with this code.', {})
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/html; charset=utf-8')
      .send(pageOf(params.code as ProblemCode))
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
