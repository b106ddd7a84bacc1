import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  approvalRequestedMessage,
  type RequestedApproval,
} from '../../src/mail/approval-requested-message.ts'
import type { MailMessage } from '../../src/mail/mailer.ts'
import { requestsAssignedMessage, type AssignedRequests } from '../../src/mail/requests-assigned-message.ts'
import { taskAssignedMessage, type AssignedTask } from '../../src/mail/task-assigned-message.ts'
import { hostileTexts } from '../hostile/hostile-text.ts'

const task: AssignedTask = {
  to: 'zoe@example.com',
  title: 'Send the leases',
  description: 'With all amendments',
  kind: 'evidence_request',
  workspace_name: 'Harbor Street Partners',
  room_title: 'Sale of Glacier',
  creator_name: 'Olivia Bennett',
  due_at: new Date('2026-12-04T16:49:30Z'),
}

const requests: AssignedRequests = {
  to: 'zoe@example.com',
  count: 1234,
  workspace_name: 'Harbor Street Partners',
  room_title: 'Sale of Glacier',
  first_due_at: new Date('2026-12-04T16:49:30Z'),
}

const approval: RequestedApproval = {
  to: 'zoe@example.com',
  summary: 'POST /orders with 2 fields',
  note: 'As agreed on Monday',
  connection_label: 'Order system',
  workspace_name: 'Harbor Street Partners',
  room_title: 'Sale of Glacier',
  requester_name: 'Olivia Bennett',
  expires_at: new Date('2026-12-04T16:49:30Z'),
}

const textOf = (html: string) =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

const says = ({ text, html }: MailMessage, pattern: RegExp) => {
  assert.match(text, pattern)
  assert.match(textOf(html), pattern)
}

describe('the mail to the assignee of a Task', () => {
  it('says what it is, where, by when, and who created it', () => {
    const message = taskAssignedMessage(task)
    assert.deepEqual([message.to, message.subject], ['zoe@example.com', 'Task: Send the leases'])
    says(
      message,
      /A request for evidence in the Room “Sale of Glacier” of “Harbor Street Partners” is assigned to you: “Send the leases”/,
    )
    says(message, /With all amendments/)
    says(message, /due by December 4, 2026 at 16:49 UTC\./)
    says(message, /created by Olivia Bennett\./)
  })

  it('says no more than there is', () => {
    const bare = {
      ...task,
      kind: 'later',
      description: null,
      room_title: null,
      creator_name: null,
      due_at: null,
    }
    const message = taskAssignedMessage(bare)
    says(message, /^A Task in the Workspace “Harbor Street Partners” is assigned to you: “Send the leases”/m)
    assert.doesNotMatch(message.text, /due|created|null|undefined/)
  })
})

describe('the mail to an assignee of a request list', () => {
  it('says how many, where, and when the first is due', () => {
    const message = requestsAssignedMessage(requests)
    assert.equal(message.subject, '1,234 requests in the Room “Sale of Glacier”')
    says(
      message,
      /1,234 requests of a list in the Room “Sale of Glacier” of “Harbor Street Partners” are assigned/,
    )
    says(message, /The first is due by December 4, 2026 at 16:49 UTC\./)
  })

  it('speaks of one as of one', () => {
    const message = requestsAssignedMessage({ ...requests, count: 1, first_due_at: null })
    says(message, /One request of a list .* is assigned to you\./)
    assert.doesNotMatch(message.text, /due/)
  })
})

describe('the mail to the sharer of a connection', () => {
  it('says who asks for what, through what, until when, and what to do if it is not expected', () => {
    const message = approvalRequestedMessage(approval)
    assert.equal(message.subject, 'Approval asked for: POST /\u200borders with 2 fields')
    says(
      message,
      /Olivia Bennett asks for your approval in the Room “Sale of Glacier” of “Harbor Street Partners”/,
    )
    says(message, /through “Order system”, which you shared: “POST \/\u200borders with 2 fields”/)
    says(message, /Olivia Bennett writes: “As agreed on Monday”/)
    says(message, /unless it is approved by December 4, 2026 at 16:49 UTC\./)
    says(message, /decline it, or pause the connection/)
  })

  it('goes without a note, and without the name of a requester who has none', () => {
    const { text } = approvalRequestedMessage({ ...approval, note: null, requester_name: null })
    assert.match(text, /^Somebody asks/)
    assert.doesNotMatch(text, /writes/)
  })
})

const kinds: [kind: string, plain: MailMessage, written: (text: string) => MailMessage][] = [
  [
    'the assignee of a Task',
    taskAssignedMessage(task),
    text =>
      taskAssignedMessage({
        ...task,
        title: text,
        description: text,
        workspace_name: text,
        room_title: text,
        creator_name: text,
      }),
  ],
  [
    'an assignee of a request list',
    requestsAssignedMessage(requests),
    text => requestsAssignedMessage({ ...requests, workspace_name: text, room_title: text }),
  ],
  [
    'the sharer of a connection',
    approvalRequestedMessage(approval),
    text =>
      approvalRequestedMessage({
        ...approval,
        summary: text,
        note: text,
        connection_label: text,
        workspace_name: text,
        room_title: text,
        requester_name: text,
      }),
  ],
]

for (const [kind, plain, written] of kinds)
  describe(`the mail to ${kind}`, () => {
    it('says how it is turned off', () => says(plain, /SVC_TASK_MAIL=off/))

    it('loads nothing, runs nothing and links to nothing', () => {
      assert.doesNotMatch(
        plain.html,
        /<(?:a|img|script|link|iframe|object|form)\b|\bsrc=|url\(|@import|\son\w+=/i,
      )
      assert.doesNotMatch(plain.text + plain.html, /https?:|undefined|null/)
    })

    it('takes no line, no header, no element, nothing unseen and no links from what people write', () => {
      const lines = ({ text, html }: MailMessage) => [text, html].map(body => body.split('\n').length)
      const hostile = [
        'a\r\nBcc: eve@example.com\r\n\r\nx',
        '</p><script>alert(1)</script><a href="javascript:x">&amp;',
        'a'.repeat(5000),
        'Win now: https://evil.example/x www.evil.example eve@evil.example',
        ...hostileTexts.filter(text => /[^\s\p{Cf}\p{Cc}]/u.test(text)),
      ]
      for (const text of hostile) {
        const message = written(text)
        assert.doesNotMatch(message.subject.replaceAll('\u200b', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
        assert.ok(message.subject.length < 350)
        assert.doesNotMatch(message.text.replaceAll(/[\n\u200b]/g, ''), /[\p{Cc}\p{Cf}\p{Cs}]/u)
        assert.deepEqual(lines(message), lines(plain))
        assert.doesNotMatch(message.html, /<script|<a /)
        for (const body of [message.subject, message.text, textOf(message.html)])
          assert.doesNotMatch(body, /https:\/\/evil|evil\.example|eve@evil/)
      }
    })
  })
