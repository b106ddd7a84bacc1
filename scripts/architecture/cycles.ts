import { dirname } from 'node:path/posix'
import type { Module } from './module.ts'

/** What each file or folder imports, by path. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Import cycles of files. Type imports count: a file that needs another's types cannot be understood without it. */
export const fileCycles = (modules: readonly Module[]): string[][] =>
  findCycles(
    new Map(modules.map(({ path, imports }) => [path, new Set(imports.map(imported => imported.target))])),
  )

/** Import cycles between the files and folders of one folder. The imports of a folder are those of all files in it. */
export function folderCycles(modules: readonly Module[]): string[][] {
  const folders = new Set(modules.flatMap(({ path }) => ancestorsOf(path)))
  return [...folders].flatMap(folder => {
    const graph = graphWithin(folder, modules)
    // fileCycles reports cycles of files.
    return findCycles(graph).filter(cycle => cycle.some(path => !path.endsWith('.ts')))
  })
}

function ancestorsOf(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...ancestorsOf(folder)]
}

function graphWithin(folder: string, modules: readonly Module[]): Graph {
  const graph = new Map<string, Set<string>>()
  for (const { path, imports } of modules) {
    const from = childOf(folder, path)
    if (from === null) continue
    const targets = graph.get(from) ?? new Set()
    graph.set(from, targets)
    for (const { target } of imports) {
      const to = childOf(folder, target)
      if (to !== null && to !== from) targets.add(to)
    }
  }
  return graph
}

/** The file or folder, directly in a folder, that a path is or lies in. */
const childOf = (folder: string, path: string): string | null =>
  path.startsWith(`${folder}/`) ? `${folder}/${path.slice(folder.length + 1).split('/')[0]}` : null

/** The cycles of a graph, each reported once. */
function findCycles(graph: Graph): string[][] {
  const done = new Set<string>()
  const cycles: string[][] = []
  function visit(node: string, trail: readonly string[]): void {
    const from = trail.indexOf(node)
    if (from !== -1) cycles.push(trail.slice(from))
    if (from !== -1 || done.has(node)) return
    for (const next of graph.get(node) ?? []) if (graph.has(next)) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return cycles
}
