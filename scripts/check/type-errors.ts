/** A compiler error that is longer than this is shortened to one line. */
const longest = 300

/**
 * Shortens the output of the compiler, which explains an error from the outermost type to the innermost and prints each type
 * in full. Of a long explanation, this keeps the location and the innermost reason. Short errors are not changed.
 */
export function shortTypeErrors(output: string): string {
  return output
    .split(/\n(?=\S)/)
    .map(error => (error.length > longest ? inOneLine(error) : error.trimEnd()))
    .join('\n')
}

function inOneLine(error: string): string {
  const [first = '', ...reasons] = error.trimEnd().split('\n')
  const [, place = '', outermost = first] = /^(.*?: error TS\d+: )(.*)$/.exec(first) ?? []
  const depth = (line: string) => line.search(/\S/)
  const innermost = reasons.reduce(
    (deepest, line) => (depth(line) >= depth(deepest) ? line : deepest),
    outermost,
  )
  return place + withoutObjects(innermost.trim())
}

/** Leaves out object types, which are too long to read. */
const withoutObjects = (reason: string) =>
  reason
    .replace(/^(Property '\w+' is missing) in type .* but required in type .*$/, '$1.')
    .replaceAll(/'\{.*?\}'(?=[ .]|$)/g, "'{ … }'")
