import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { translateFault } from '../../src/call/fault-problem.ts'
import { Problem } from '../../src/call/problem.ts'
import { isConnectionLoss, NotWritable } from '../../src/database/faults.ts'

const failing = (code: string) => Object.assign(new Error('as the driver reports it'), { code })

/** What a connection or a statement can meet while another member becomes the leader. */
const duringFailover: [string, Error][] = [
  ['08006, the connection was lost', failing('08006')],
  ['53300, the new leader has too many connections', failing('53300')],
  ['57P01, the session was ended', failing('57P01')],
  ['57P02, a crash of another session', failing('57P02')],
  ['57P03, the server is starting, stopping or in recovery', failing('57P03')],
  ['57P05, the session was idle too long', failing('57P05')],
  ['a reset', failing('ECONNRESET')],
  ['a refusal', failing('ECONNREFUSED')],
  ['a write to a connection that ended', failing('EPIPE')],
  ['no route', failing('EHOSTUNREACH')],
  ['no answer of the network', failing('ETIMEDOUT')],
  ['a proxy without a leader', new Error('Connection terminated unexpectedly')],
  ['no answer in time', new Error('Query read timeout')],
  ['no connection in time', new Error('Connection terminated due to connection timeout')],
  [
    'a connection that was lost unnoticed',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['a server that only reads', new NotWritable('The database that is connected only reads.')],
]

describe('while the leader is replaced', () => {
  for (const [title, error] of duringFailover)
    it(`is a lost connection, and unavailable with when to try again: ${title}`, () => {
      assert.ok(isConnectionLoss(error))
      const problem = translateFault(error)
      assert.ok(problem instanceof Problem)
      assert.equal(problem.status, 503)
      assert.match(problem.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    })

  it('is a fault of the service: a read that tries to write', () => {
    const error = failing('25006')
    assert.equal(isConnectionLoss(error), false)
    assert.equal(translateFault(error), error)
  })
})
