import type { FastifyInstance } from 'fastify'

/** Remembers every route, so that a path which exists can be told from one which does not, whatever the method. */
export function watchRoutes(server: FastifyInstance): (pathname: string) => string[] {
  const methodsOf = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
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

/** As the router sees it: an escaped letter is that letter. What cannot be read matches nothing but a parameter. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
