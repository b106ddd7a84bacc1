import { spawnSync } from 'node:child_process'

/**
 * The files that differ from those before the last commit, by their paths in the folder. Null if that is not known: the
 * folder is no clone, or has no earlier commit.
 */
export function changedFiles(folder: string): string[] | null {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  const changed = git('diff', '--name-only', '--relative', 'HEAD~1')
  const added = git('ls-files', '--others', '--exclude-standard')
  if (changed.status !== 0 || added.status !== 0) return null
  return `${changed.stdout}${added.stdout}`.split('\n').filter(path => path !== '')
}
