import { spawn } from 'node:child_process'

/** The program that opens a page, and its arguments; null if there is none or nobody could see the page. */
export function browserCommand(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): [program: string, ...args: string[]] | null {
  if (env.BROWSER) return [env.BROWSER, url]
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open', url] : null
}

/** Tries to open a page. Nothing depends on whether it succeeds, because the address is printed as well. */
export function openBrowser(url: string, env: Readonly<Record<string, string | undefined>>): void {
  const command = browserCommand(url, env)
  if (command === null) return
  const [program, ...args] = command
  const child = spawn(program, args, { detached: true, stdio: 'ignore' })
  child.on('error', () => {}) // there is no such program
  child.unref()
}
