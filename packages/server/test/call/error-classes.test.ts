import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { translateFault } from '../../src/call/fault-problem.ts'
import { Problem } from '../../src/call/problem.ts'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { createReaderPool } from '../../src/database/connections/reader.ts'
import { createWriterPool, type Transaction, type WriterPool } from '../../src/database/connections/writer.ts'
import { CommitUnknown } from '../../src/database/faults.ts'
import { read, write, type Reader } from '../../src/database/statement.ts'
import { reasonOf } from '../../src/jobs/job-log.ts'
import { oneConnectionPerClass } from '../harness/one-connection.ts'
import { startFailingServer, type FailingServer, type Failure } from '../harness/postgres/failing-server.ts'

/** What the caller of a change is told. `unknown` is also unavailable, but the change may have been made. */
type Outcome = 'retried' | 'unavailable' | 'unknown' | 'fault'

/** Each class of SQLSTATE that PostgreSQL has, by codes of it, and what its errors are to a caller. */
const classes: [title: string, codes: string, outcome: Outcome][] = [
  ['the connection', '08000 08001 08003 08004 08006 08007 08P01', 'unavailable'],
  ['what the service asked for is not possible', '03000 09000 0A000 0B000 0F000 0L000 0P000 0Z002', 'fault'],
  ['the data', '20000 21000 22000 22001 22003 22012 22021 22P02 22P05', 'fault'],
  ['a constraint', '23000 23001 23502 23503 23505 23514 23P01', 'fault'],
  ['the state of the session', '24000 25000 25001 25P01 25P02 26000 27000 28000 28P01', 'fault'],
  ['a server that only reads', '25006', 'unavailable'],
  ['a session that was ended', '25P03 25P04', 'unavailable'],
  ['routines and cursors', '2B000 2BP01 2D000 2F000 34000 38000 39000 3B001 3D000 3F000', 'fault'],
  ['transactions that ran at once', '40001 40P01', 'retried'],
  ['a transaction that was undone', '40000 40002', 'fault'],
  ['a statement that may have taken effect', '40003', 'unavailable'],
  ['the statement', '42000 42501 42601 42703 42804 42883 42P01 42P07 44000', 'fault'],
  ['resources', '53000 53100 53200 53300 53400', 'unavailable'],
  ['limits of PostgreSQL', '54000 54001 54023', 'fault'],
  ['the state of an object', '55000 55006 55P02 55P04', 'fault'],
  ['a lock that was not free in time', '55P03', 'unavailable'],
  ['a statement that took too long', '57014', 'unavailable'],
  ['an operator', '57P01 57P02 57P03 57P04 57P05', 'unavailable'],
  ['another intervention', '57000', 'fault'],
  ['the machine', '58000 58030 58P01 58P02', 'unavailable'],
  ['a revision that somebody else had changed', 'SV001', 'unavailable'],
  ['functions, settings and PostgreSQL itself', 'F0000 HV000 P0000 P0001 P0004 XX000 XX001 XX002', 'fault'],
]
const codes = classes.flatMap(([, all, outcome]) => all.split(' ').map(code => ({ code, outcome })))

const taken = write('test_at_taken', 'select')
const dropped = write('test_at_dropped', 'select')
const middle = write('test_at_middle', 'select')
const early = write('test_at_early', 'select')
const behind = write('test_at_behind', 'select')
const split = write('test_at_split', 'select')
const last = write('test_at_last', 'select')
const look = read('test_look', 'select')
const meanwhile = read('test_meanwhile', 'select')

/** A change with a statement in each place that one can have. */
async function change(tx: Transaction): Promise<void> {
  tx.prefetch(() => Promise.all([tx.run(taken, {}), tx.run(dropped, {})]))
  await tx.run(taken, {})
  await tx.run(middle, {})
  tx.save(early, {})
  await tx.run(behind, {})
  tx.save(split, {})
  // Its batch is sent now, and its answer cannot have arrived.
  await new Promise<void>(resolve => process.nextTick(resolve))
  tx.save(last, {})
}

const places: Record<string, string> = {
  BEGIN: 'begin',
  'the row scope': 'row_scope',
  'a statement that was sent ahead': 'test_at_taken',
  'a statement that was sent ahead in vain': 'test_at_dropped',
  'a statement that is waited for': 'test_at_middle',
  'a save before a statement that is waited for': 'test_at_early',
  'a statement behind a save': 'test_at_behind',
  'a save of the batch before the batch of COMMIT': 'test_at_split',
  'a save of the batch of COMMIT': 'test_at_last',
  COMMIT: 'commit',
}

/** Whether COMMIT has been sent when this statement fails, so that not every loss is a certain one. */
const isSentWithCommit = (statement: string) =>
  ['test_at_split', 'test_at_last', 'commit'].includes(statement)

function expected({ statement, code, severity }: Failure, outcome: Outcome): Outcome {
  if (statement === 'commit' && severity === 'FATAL') return 'unknown'
  // A pooler says so where it has lost the server, whatever the server did before.
  if (isSentWithCommit(statement) && /^(08|40003)/.test(code)) return 'unknown'
  return outcome
}

function outcomeOf(error: unknown, failures: number): Outcome {
  if (error instanceof CommitUnknown) return 'unknown'
  const problem = translateFault(error)
  if (!(problem instanceof Problem)) return 'fault'
  assert.equal(problem.code, 'unavailable')
  assert.match(problem.headers['retry-after'] ?? '', /^[1-9]\d*$/)
  return failures === 3 ? 'retried' : 'unavailable'
}

describe('whatever error meets a statement, the caller is told what became of the change', () => {
  let server: FailingServer
  let writers: WriterPool
  before(async () => {
    server = await startFailingServer()
    const config = connectionConfig(server.address, 'svc_writer')
    writers = createWriterPool({ config, size: 1, onError: () => undefined })
  })
  after(async () => {
    await writers.close()
    await server.close()
  })

  for (const severity of ['ERROR', 'FATAL'] as const)
    for (const [place, statement] of Object.entries(places))
      it(`${severity} at ${place}`, async () => {
        const told: Record<string, Outcome> = {}
        for (const { code } of codes) {
          server.fail({ statement, code, severity })
          const error = await errorOf(writers.transaction({ workspace_id: null, user_id: null }, change))
          const { failures, committed } = server.seen()
          assert.equal(committed, false, code)
          // The log of a job has the first reason too.
          assert.equal(reasonOf(error), code)
          told[code] = outcomeOf(error, failures)
        }
        assert.deepEqual(
          told,
          Object.fromEntries(
            codes.map(({ code, outcome }) => [code, expected({ statement, code, severity }, outcome)]),
          ),
        )
      })

  it('and without one, the change is made', async () => {
    server.fail({ statement: 'none', code: '', severity: 'ERROR' })
    await writers.transaction({ workspace_id: null, user_id: null }, change)
    assert.deepEqual(server.seen(), { failures: 0, committed: true })
  })
})

describe('whatever error meets a read, its caller is told whether to try again', () => {
  let server: FailingServer
  before(async () => void (server = await startFailingServer()))
  after(() => server.close())

  async function reading<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const readers = createReaderPool({
      config: () => connectionConfig(server.address, 'svc_reader'),
      classes: oneConnectionPerClass(),
      onError: () => undefined,
    })
    try {
      return await work(readers.scoped({ workspace_id: null, user_id: null }))
    } finally {
      await readers.close()
    }
  }

  for (const severity of ['ERROR', 'FATAL'] as const)
    for (const statement of ['row_scope', 'test_look'])
      it(`${severity} at ${statement}`, async () => {
        const told: Record<string, Outcome> = {}
        for (const { code } of codes) {
          server.fail({ statement, code, severity })
          const error = await errorOf(reading(reader => reader.many(look, {})))
          told[code] = outcomeOf(error, 1)
        }
        const expected = (code: string, outcome: Outcome): Outcome => {
          // A read on a server that only reads is a fault of the service.
          if (code === '25006') return 'fault'
          // The statement is sent once more, here to a session that has ended.
          if (code === '26000' && severity === 'FATAL') return 'unavailable'
          return outcome === 'retried' ? 'unavailable' : outcome
        }
        assert.deepEqual(
          told,
          Object.fromEntries(codes.map(({ code, outcome }) => [code, expected(code, outcome)])),
        )
      })

  it('and the session of others goes on after an error that does not end it', async () => {
    const before = server.sessions()
    await reading(async reader => {
      for (const code of ['53000', '53100', '53200', '53400', '58030', '57014', '40001', 'XX000']) {
        server.fail({ statement: 'test_look', code, severity: 'ERROR' })
        const [failed] = await Promise.allSettled([reader.many(look, {}), reader.many(meanwhile, {})])
        assert.equal(failed.status, 'rejected')
      }
    })
    assert.equal(server.sessions() - before, 1)
  })
})

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('It was overlooked.'),
    (reason: unknown) => reason,
  )
