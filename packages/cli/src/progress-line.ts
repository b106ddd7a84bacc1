const betweenLines = 10_000 // milliseconds, if the output is not a terminal
const betweenFrames = 100

/** Shows progress: on a terminal in one line that is rewritten, elsewhere in a line now and then. */
export function showProgress<Progress>(
  output: NodeJS.WriteStream,
  line: (progress: Progress) => string,
): {
  show: (progress: Progress) => void
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

export const formatCount = (number: number): string => number.toLocaleString('en-US')

/** A size in units of a thousand: 12.3 MB. */
export const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
