/**
 * The resources that keep this process alive, as Node lists them, with their number: `2 TCPSocketWrap, 1 Timeout`. The
 * pipes to the runner are left out, because they do not keep it alive.
 */
export function whatKeepsProcess(): string {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  counts.set('PipeWrap', (counts.get('PipeWrap') ?? 0) - pipesToRunner())
  const kept = [...counts].filter(([, count]) => count > 0)
  return kept.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing that Node knows of'
}

const pipesToRunner = () => [process.stdout, process.stderr].filter(({ isTTY }) => !isTTY).length
