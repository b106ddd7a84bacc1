import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

interface Pages {
  /** The packages that the page can import. Default: the client alone. */
  imported?: readonly string[]
  /** The body of the page. Default: an empty one. */
  body?: string
  /** Answers all other requests. Default: 404. */
  otherwise?: RequestListener
}

/** A server with a page at `/` that can import packages, whose modules it serves without their types. */
export function serveModules({
  imported = ['@wbs/sdk'],
  body = '',
  otherwise = (_request, response) => response.writeHead(404).end(),
}: Pages = {}): Server {
  const files = moduleFiles(imported)
  const imports = Object.fromEntries(
    [...files].flatMap(([path, { names }]) => [...names].map(name => [name, path])),
  )
  const page = `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>${body}`
  return createServer((request, response) => {
    const { url = '/' } = request
    const file = files.get(url)
    if (url.split('?', 1)[0] === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    else if (url === '/favicon.ico') response.writeHead(404).end()
    else if (file) response.writeHead(200, { 'content-type': 'text/javascript' }).end(file.code)
    else otherwise(request, response)
  })
}

interface ModuleFile {
  code: string
  /** The names by which packages import it. */
  names: Set<string>
}

/** The modules that packages load, by the path at which they are served. */
function moduleFiles(imported: readonly string[]): Map<string, ModuleFile> {
  const files = new Map<string, ModuleFile>()
  const open: [string, string | null][] = imported.map(name => [import.meta.resolve(name), name])
  for (let next = open.pop(); next; next = open.pop()) {
    const [url, name] = next
    const path = `/modules${fileURLToPath(url)}`
    const known = files.get(path)
    if (name !== null) known?.names.add(name)
    if (known) continue
    const text = readFileSync(fileURLToPath(url), 'utf8')
    const code = url.endsWith('.ts') ? stripTypeScriptTypes(text) : text
    files.set(path, { code, names: new Set(name === null ? [] : [name]) })
    for (const [, specifier = ''] of code.matchAll(
      /^\s*(?:import|export)\b(?:[^'";]*\bfrom)?\s*['"]([^'"]+)['"]/gm,
    )) {
      const isRelative = specifier.startsWith('.')
      const target = isRelative ? new URL(specifier, url).href : import.meta.resolve(specifier, url)
      open.push([target, isRelative ? null : specifier])
    }
  }
  return files
}
