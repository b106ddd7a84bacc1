import { execFileSync } from 'node:child_process'

/**
 * The paths that differ from a commit, new files included. Without a commit: what is not committed, or else what the last
 * commit changed.
 */
export function changedPaths(since: string | null): string[] {
  if (since !== null) return pathsSince(since)
  const uncommitted = pathsSince('HEAD')
  return uncommitted.length > 0 ? uncommitted : pathsSince('HEAD~1')
}

const pathsSince = (commit: string) => [
  ...git('diff', '--name-only', '--no-renames', commit),
  ...git('ls-files', '--others', '--exclude-standard'),
]

const git = (...given: readonly string[]) =>
  execFileSync('git', given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter(Boolean)

/** The commit at which the current branch left origin/main, or else the last commit but one, or the last in a clone without it. */
export function startOfChange(): string {
  const [head] = commits('rev-parse', 'HEAD')
  const [base] = commits('merge-base', 'HEAD', 'origin/main')
  if (base !== undefined && base !== head) return base
  return commits('rev-parse', 'HEAD~1')[0] ?? 'HEAD'
}

/** None if the clone lacks a commit or a branch that is named. */
function commits(...given: readonly string[]): string[] {
  try {
    return git(...given)
  } catch {
    return []
  }
}
