import type { Module } from './module.ts'

/** Circles of imports, each told once. A type counts: a file that needs another's types cannot be understood without it. */
export function findCycles(modules: readonly Module[]): [Module, ...Module[]][] {
  const byPath = new Map(modules.map(module => [module.path, module]))
  const done = new Set<Module>()
  const cycles: [Module, ...Module[]][] = []
  function visit(module: Module, trail: readonly Module[]): void {
    const from = trail.indexOf(module)
    if (from !== -1) {
      cycles.push([module, ...trail.slice(from + 1)])
      return
    }
    if (done.has(module)) return
    for (const target of new Set(module.imports.map(one => one.target))) {
      const next = byPath.get(target)
      if (next) visit(next, [...trail, module])
    }
    done.add(module)
  }
  for (const module of modules) visit(module, [])
  return cycles
}
