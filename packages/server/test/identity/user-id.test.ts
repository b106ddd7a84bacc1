import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import * as fc from 'fast-check'

import { userId } from '../../src/identity/user-id.ts'

describe('a user’s id', () => {
  // Computed by another program: a change would make every member of every Workspace a stranger.
  const vectors: [namespace: string, subject: string, id: string][] = [
    [
      'https://tenant.eu.auth0.com/',
      'auth0|6553da60a54af58e29493993',
      '701a93b9-30c7-8d4f-96bf-a889b4b354a2',
    ],
    ['https://tenant.eu.auth0.com', 'auth0|6553da60a54af58e29493993', '077f18fc-fd58-8ceb-942f-57dd9816f5bb'],
    ['urn:wbs:development-identity', 'sample-owner', '760b0b1f-50ed-88ce-a178-463a32a795dd'],
    ['https://bücher.example', '1', '5603d585-4811-8bbb-9c58-d466226812a4'],
    ['', '', 'ba768b33-1fd8-8cec-803b-e04e56ab2b3d'],
  ]
  for (const [namespace, subject, id] of vectors) {
    test(`of "${subject}" at "${namespace}"`, () => {
      assert.equal(userId(namespace, subject), id)
    })
  }

  test('is a UUID of version 8', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (namespace, subject) => {
        assert.match(
          userId(namespace, subject),
          /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
        )
      }),
    )
  })

  test('is not shared by pairs that read alike when put together', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), (text, first, second) => {
        const [one, other] = [first % (text.length + 1), second % (text.length + 1)]
        fc.pre(one !== other)
        assert.notEqual(
          userId(text.slice(0, one), text.slice(one)),
          userId(text.slice(0, other), text.slice(other)),
        )
      }),
    )
  })

  test('is not shared by pairs whose digits could be taken for a length', () => {
    assert.notEqual(userId('1:', 'a'), userId('', '1:a'))
    assert.notEqual(userId('', '1:ab'), userId('a', 'b'))
  })
})
