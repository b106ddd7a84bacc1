import { dirname, posix } from 'node:path'
import type { OperationNames } from './names.ts'

/** Adds a handler to the slice's handlers.ts: its import in the order of paths, and its line at the end of the list. */
export function withHandler(
  text: string,
  { handler, handlerFile, handlersFile }: Pick<OperationNames, 'handler' | 'handlerFile' | 'handlersFile'>,
): string {
  const path = `./${posix.relative(dirname(handlersFile), handlerFile)}`
  const line = `import { ${handler} } from '${path}'\n`
  const imports = [...text.matchAll(/^import .* from '(.*)'\n/gm)]
  const next = imports.find(([, other = '']) => other.startsWith('./') && other > path)
  const last = imports.at(-1)
  const at = next ? next.index : last ? last.index + last[0].length : 0
  const imported = text.slice(0, at) + line + text.slice(at)
  const list = /Handlers(?: =|\().*?\[\n[^\]]*/s.exec(imported)
  if (!list) throw new Error(`${handlersFile} has no list of handlers.`)
  const end = list.index + list[0].length
  return `${imported.slice(0, end)}  ${handler},\n${imported.slice(end)}`
}
