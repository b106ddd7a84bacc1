import type { ImportGraph } from './import-graph.ts'

const PROOF = 'packages/server/test/harness/proof.ts'

/** The test files with a long form, which import the harness of proofs, also indirectly. Of parts: those in folders with these names. */
export function proofFiles(files: readonly string[], graph: ImportGraph, parts: readonly string[]): string[] {
  const importers = importersOf(PROOF, graph)
  const isAsked = (file: string) => parts.length === 0 || parts.some(part => file.split('/').includes(part))
  return files.filter(file => importers.has(file) && isAsked(file))
}

function importersOf(path: string, graph: ImportGraph): Set<string> {
  const found = new Set([path])
  for (let size = 0; size < found.size;) {
    size = found.size
    for (const [importer, { imports }] of graph)
      if (imports.some(target => found.has(target))) found.add(importer)
  }
  return found
}
