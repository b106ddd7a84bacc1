import type { ImportProgress } from '@wbs/server/businesses/import/progress'

const betweenLines = 10_000 // milliseconds, where the output is no terminal
const betweenFrames = 100

/** Shows how far an import is: on a terminal in one line that changes, elsewhere in a line now and then. */
export function showProgress(output: NodeJS.WriteStream): {
  show: (progress: ImportProgress) => void
  end: () => void
} {
  const pause = output.isTTY ? betweenFrames : betweenLines
  let shownAt = performance.now() - (output.isTTY ? pause : 0)
  let open = false
  return {
    show(progress) {
      if (performance.now() - shownAt < pause) return
      shownAt = performance.now()
      open = output.isTTY
      output.write(output.isTTY ? `\r\u001b[2K${line(progress)}` : `${line(progress)}\n`)
    },
    end() {
      if (open) output.write('\r\u001b[2K')
      open = false
    },
  }
}

function line({ phase, read, created, updated, seconds }: ImportProgress): string {
  if (phase === 'waiting') return 'Another import is running; waiting for it to end'
  const written = created + updated
  const done = phase === 'writing' ? `${written.toLocaleString('en-US')} rows written of ` : ''
  const rate = Math.round((phase === 'writing' ? written : read) / Math.max(seconds, 0.001))
  return `${done}${read.toLocaleString('en-US')} rows read, ${rate.toLocaleString('en-US')} a second`
}
