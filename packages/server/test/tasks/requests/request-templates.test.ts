import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { requestTemplates } from '@wbs/contract/tasks/requests'
import { requestsOf, templates } from '../../../src/tasks/requests/templates/request-templates.ts'

describe('the request lists that the service has', () => {
  for (const name of requestTemplates)
    describe(name, () => {
      const template = templates[name]
      const requests = requestsOf(template)

      it('has 40 to 90 requests in sections of at least two, none of them twice', () => {
        assert.equal(template.template, name)
        assert.ok(requests.length >= 40 && requests.length <= 90, String(requests.length))
        assert.equal(new Set(requests.map(({ title }) => title)).size, requests.length)
        assert.equal(new Set(template.sections.map(({ section }) => section)).size, template.sections.length)
        for (const { section, requests: own } of template.sections) assert.ok(own.length >= 2, section)
      })

      it('asks for documents above all, and also asks questions and names things to do', () => {
        const kinds = Map.groupBy(requests, ({ kind }) => kind)
        assert.ok((kinds.get('evidence_request')?.length ?? 0) > requests.length / 2)
        assert.ok(kinds.has('question') && kinds.has('task'))
        for (const { title, kind } of requests) assert.equal(title.endsWith('?'), kind === 'question', title)
      })

      it('has texts that a Task can have', () => {
        for (const { title, section, description } of requests)
          for (const text of [title, section, description ?? 'none']) {
            assert.ok(text.length >= 1 && text.length <= 200, text)
            assert.equal(text, text.trim())
            assert.doesNotMatch(text, /\p{Cc}| {2}/u)
          }
      })

      it('names its public sources', () => {
        assert.ok(template.sources.length >= 3)
        for (const { title, url } of template.sources) {
          assert.ok(title.length > 0)
          assert.equal(new URL(url).protocol, 'https:')
        }
      })
    })
})
