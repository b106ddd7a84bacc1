interface Cookie {
  name: string
  value: string
  path: string
}

/** The page at which a browser stopped: an answer, or a URL of another origin, which is not requested. */
export interface Page {
  url: URL
  status: number
  headers: Headers
  html: string
}

/** The parts of a browser that a sign-in needs: cookies with paths, redirects, and forms. */
export function browser(origin: string) {
  const cookies = new Map<string, Cookie>()

  function keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/; ?/)
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      const path = attributes.find(one => /^path=/i.test(one))?.slice(5) ?? '/'
      const key = `${name} ${path}`
      if (/expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(key)
      else cookies.set(key, { name, value, path })
    }
  }

  function cookiesFor(url: URL): string {
    return [...cookies.values()]
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  async function go(to: string | URL, form?: Record<string, string>): Promise<Page> {
    const url = new URL(to, origin)
    if (url.origin !== origin) return { url, status: 0, headers: new Headers(), html: '' }
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: cookiesFor(url) },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    keep(response.headers)
    const html = await response.text()
    const location = response.headers.get('location')
    if (location !== null) return go(new URL(location, url))
    return { url, status: response.status, headers: response.headers, html }
  }

  /** Submits a page's form with its hidden fields and the given ones. */
  async function submit(page: Page, fields: Record<string, string>): Promise<Page> {
    const action = /<form[^>]*action="([^"]+)"/.exec(page.html)?.[1] ?? ''
    const hidden = [...page.html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
    return go(new URL(action, page.url), {
      ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
      ...fields,
    })
  }

  return { go, submit, forget: () => cookies.clear() }
}
