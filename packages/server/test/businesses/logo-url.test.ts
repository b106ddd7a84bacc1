import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { savedLogoUrl } from '../../src/businesses/logo-url.ts'

describe('the saved logo of a Workspace', () => {
  it('is returned unchanged if it is an http or https URL', () => {
    const urls = [
      'https://cdn.example/logo.png',
      'http://cdn.example/logo.png',
      'HTTPS://CDN.Example/Logo.PNG',
      'https://cdn.example',
      'https://cdn.example:8443/a/../b?size=64&v=%20#top',
      'https://cdn.example/@team/logo.png?by=a@b.example',
      'https://[2001:db8::1]/logo.png',
      'https://exämple.example/löwe.png',
      'http://127.0.0.1/logo.png',
      `https://cdn.example/${'a'.repeat(2028)}`,
    ]
    for (const url of urls) assert.equal(savedLogoUrl(url), url)
  })

  it('is null if none is saved', () => {
    assert.equal(savedLogoUrl(null), null)
    assert.equal(savedLogoUrl(''), null)
  })

  const invalid: [title: string, ...urls: string[]][] = [
    [
      'another scheme',
      'data:image/png;base64,AAAA',
      'javascript:alert(1)',
      'ftp://cdn.example/logo.png',
      'file:///etc/passwd',
      'blob:https://a/b',
    ],
    [
      'a scheme that only looks like one',
      'httpx://cdn.example',
      'https//cdn.example',
      ' https',
      'view-source:https://cdn.example',
      'java\nscript:alert(1)',
    ],
    ['no scheme', 'cdn.example/logo.png', '//cdn.example/logo.png', '/logo.png', 'logo.png'],
    [
      'credentials',
      'https://me@cdn.example/',
      'https://me:secret@cdn.example/',
      'https://:secret@cdn.example',
      'https://:@cdn.example',
      'https://@cdn.example',
    ],
    ['no host', 'https://', 'https:///logo.png', 'https://?logo', 'https:cdn.example', 'https:/cdn.example'],
    [
      'a host that is none',
      'https://[::1',
      'https://a b/',
      'https://cdn.example:99999/',
      'https://%00/',
      'http://1.2.3.256/',
    ],
    [
      'white space',
      ' https://cdn.example',
      'https://cdn.example ',
      'https://cdn.example/a b',
      'https://cdn.example/\u00a0',
      'https://cdn.example/\u2028',
    ],
    [
      'control characters',
      '\u0001https://cdn.example',
      'https://cdn.example/\n',
      'https://cdn\t.example',
      'https://cdn.example/\u0000',
      'https://cdn.example/\u007f',
    ],
    [
      'backslashes',
      'https:\\\\cdn.example',
      'https://cdn.example\\@evil.example',
      'https://cdn.example/a\\b',
    ],
    ['more than 2048 characters', `https://cdn.example/${'a'.repeat(2029)}`],
  ]
  for (const [title, ...urls] of invalid)
    it(`is null with ${title}`, () => {
      for (const url of urls) assert.equal(savedLogoUrl(url), null, JSON.stringify(url))
    })
})
