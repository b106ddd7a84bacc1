import type { FastifyInstance } from 'fastify'

/** Records all routes, so that a wrong method (405) can be told from a wrong path (404). */
export function watchRoutes(server: FastifyInstance): (pathname: string) => string[] {
  const methodsOf = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsOf.set(url, methods)
  })
  return pathname => {
    const parts = pathname.split('/').map(decoded)
    const matching = [...methodsOf].filter(([pattern]) => matches(pattern.split('/'), parts))
    return [...new Set(matching.flatMap(([, methods]) => [...methods]))].sort()
  }
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  const open = pattern.at(-1) === '*'
  const fixed = open ? pattern.slice(0, -1) : pattern
  if (open ? parts.length < pattern.length : parts.length !== pattern.length) return false
  return fixed.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
}

/** Decodes a path segment as the router does. An invalid one matches nothing but a parameter. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
