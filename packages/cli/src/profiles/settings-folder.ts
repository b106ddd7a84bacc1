import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * The folder of a person's settings of wbs, by the rules of the system: XDG_CONFIG_HOME or ~/.config, on macOS
 * ~/Library/Application Support, on Windows %APPDATA%. An XDG_CONFIG_HOME that is relative does not count.
 */
export function settingsFolder(
  env: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const { XDG_CONFIG_HOME = '', APPDATA } = env
  if (platform === 'win32') return join(APPDATA || join(home, 'AppData', 'Roaming'), 'wbs')
  if (isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, 'wbs')
  return platform === 'darwin'
    ? join(home, 'Library', 'Application Support', 'wbs')
    : join(home, '.config', 'wbs')
}
