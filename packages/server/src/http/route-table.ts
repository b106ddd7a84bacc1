import type { FastifyInstance } from 'fastify'

/** Remembers every route, so that a path which exists can be told from one which does not, whatever the method. */
export function watchRoutes(server: FastifyInstance): (path: string) => string[] {
  const routes: { path: RegExp; method: string }[] = []
  server.addHook('onRoute', ({ url, method }) => {
    const path = new RegExp(
      `^${url.replaceAll(/[.]/g, '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`,
    )
    for (const one of [method].flat()) routes.push({ path, method: one })
  })
  return path => [...new Set(routes.filter(route => route.path.test(path)).map(route => route.method))].sort()
}
