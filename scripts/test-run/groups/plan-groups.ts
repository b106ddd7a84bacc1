import type { Group } from './group.ts'
import type { Times } from '../times.ts'

/**
 * Puts the files of a slice into one group, the longest group first. A slice that takes longer than the share of each of the
 * `processes` that run at a time becomes several groups that take about the same time. Slices that take less than a tenth of
 * it share groups, because a process costs as much as some files. Files for which `isAlone` is true are groups of their own.
 */
export function planGroups(
  files: readonly string[],
  times: Times,
  processes: number,
  isAlone: (file: string) => boolean = () => false,
): Group[] {
  const seconds = (file: string) => times.get(file) ?? middlingOf(times)
  const sumOf = (paths: readonly string[]) => paths.reduce((sum, file) => sum + seconds(file), 0)
  const share = sumOf(files) / processes
  const alone = files.filter(isAlone)
  const slices = Map.groupBy(
    files.filter(file => !alone.includes(file)),
    sliceOf,
  )
  const groups = [...slices].flatMap(([slice, members]) =>
    split(slice, members, Math.max(1, Math.ceil(sumOf(members) / (share || 1))), seconds),
  )
  const least = share / 10
  return [
    ...alone.map(file => ({ name: nameOf(file), files: [file] })),
    ...groups.filter(({ files }) => sumOf(files) >= least),
    ...together(
      groups.filter(({ files }) => sumOf(files) < least),
      least,
      sumOf,
    ),
  ].toSorted((a, b) => sumOf(b.files) - sumOf(a.files))
}

/** Joins short groups, the longest first, until each takes about so many seconds. */
function together(
  groups: readonly Group[],
  enough: number,
  sumOf: (files: readonly string[]) => number,
): Group[] {
  const joined: Group[] = []
  for (const group of groups.toSorted((a, b) => sumOf(b.files) - sumOf(a.files))) {
    const at = joined.findIndex(({ files }) => sumOf(files) + sumOf(group.files) <= enough)
    const other = joined[at]
    if (other)
      joined[at] = { name: `${other.name}-${group.name}`, files: [...other.files, ...group.files].toSorted() }
    else joined.push(group)
  }
  return joined
}

/** Splits the files of a slice: each file, the longest first, goes into the group that is shortest so far. */
function split(
  slice: string,
  files: readonly string[],
  parts: number,
  seconds: (file: string) => number,
): Group[] {
  const count = Math.min(parts, files.length)
  const groups = Array.from({ length: count }, () => ({ sum: 0, files: [] as string[] }))
  for (const file of files.toSorted((a, b) => seconds(b) - seconds(a))) {
    const shortest = groups.reduce((least, group) => (group.sum < least.sum ? group : least))
    shortest.sum += seconds(file)
    shortest.files.push(file)
  }
  return groups.map((group, index) => ({
    name: count === 1 ? slice : `${slice}-${index + 1}`,
    files: group.files.toSorted(),
  }))
}

/** The slice of a test file: `server-rooms` for packages/server/test/rooms/participants/leave-room.test.ts. */
function sliceOf(file: string): string {
  const [, place = 'scripts', folder] = /^packages\/([^/]+)\/test\/(?:([^/]+)\/)?/.exec(file) ?? []
  return folder === undefined ? place : `${place}-${folder}`
}

const nameOf = (file: string) =>
  file
    .replace(/\.test\.ts$/, '')
    .replaceAll(/^packages\/|\/test(?=\/)/g, '')
    .replaceAll('/', '-')

function middlingOf(times: Times): number {
  const sorted = [...times.values()].toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 1
}
