/**
 * What keeps this process alive, as far as Node tells: kinds of resources with their number, `2 TCPSocketWrap, 1 Timeout`.
 * The pipes on which it speaks to the runner are left out, since they keep no process alive.
 */
export function whatKeepsProcess(): string {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  counts.set('PipeWrap', (counts.get('PipeWrap') ?? 0) - pipesToRunner())
  const kept = [...counts].filter(([, count]) => count > 0)
  return kept.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing that Node knows of'
}

const pipesToRunner = () => [process.stdout, process.stderr].filter(({ isTTY }) => !isTTY).length
