import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../src/config.ts'
import { ConfigError } from '../src/config-values.ts'
import { failToStart } from './harness/process.ts'

const url = 'postgresql://service:p%40ss@db.example:5432/service'
const secret = 'a secret of more than thirty-two characters'

describe('a secret in a file', () => {
  let folder = ''
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'wbs-secrets-'))))
  after(() => rmSync(folder, { recursive: true }))

  function fileOf(text: string): string {
    const file = join(folder, 'secret')
    writeFileSync(file, text)
    return file
  }

  function refused(env: NodeJS.ProcessEnv): string {
    try {
      readConfig(env)
    } catch (error) {
      assert.ok(error instanceof ConfigError)
      return error.message
    }
    throw new assert.AssertionError({ message: 'The settings were accepted.' })
  }

  it('is the value of the setting, without the line break at its end', () => {
    for (const end of ['', '\n', '\r\n']) {
      assert.equal(readConfig({ DATABASE_URL_FILE: fileOf(url + end) }).databaseUrl, url)
      assert.equal(readConfig({ SVC_SECRET_FILE: fileOf(secret + end) }).secret, secret)
    }
    // Blanks may belong to a secret.
    assert.equal(readConfig({ SVC_SECRET_FILE: fileOf(` ${secret} \n`) }).secret, ` ${secret} `)
  })

  it('is taken for the mail server and the keys of the bucket too', () => {
    const { mail, blobs } = readConfig({
      SMTP_URL_FILE: fileOf('smtp://me:word@mail.example:587\n'),
      MAIL_FROM: 'Example <no-reply@example.com>',
      BLOBS_URL: 's3://bucket?region=eu-central-1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'word',
    })
    assert.deepEqual(mail.smtp?.credentials, { user: 'me', password: 'word' })
    assert.deepEqual(blobs.s3?.credentials, { access_key_id: 'key', secret_access_key: 'word' })
    const keys = { S3_ACCESS_KEY_ID_FILE: fileOf('key\n'), S3_SECRET_ACCESS_KEY_FILE: fileOf('key\n') }
    assert.deepEqual(
      readConfig({ BLOBS_URL: 's3://bucket?region=eu-central-1', ...keys }).blobs.s3?.credentials,
      {
        access_key_id: 'key',
        secret_access_key: 'key',
      },
    )
  })

  it('is checked as the setting itself is', () => {
    assert.match(refused({ SVC_SECRET_FILE: fileOf('short\n') }), /^SVC_SECRET must have at least 32/)
    assert.match(refused({ DATABASE_URL_FILE: fileOf('mysql://db\n') }), /^DATABASE_URL must be the URL/)
  })

  it('is refused beside the setting itself', () => {
    assert.equal(
      refused({ SVC_SECRET: secret, SVC_SECRET_FILE: fileOf(secret) }),
      'SVC_SECRET and SVC_SECRET_FILE are both set: set one of them.',
    )
    assert.equal(readConfig({ SVC_SECRET: secret, SVC_SECRET_FILE: '' }).secret, secret)
    assert.equal(readConfig({ SVC_SECRET: '', SVC_SECRET_FILE: fileOf(secret) }).secret, secret)
  })

  it('is refused with one sentence where there is no file with one value', () => {
    const missing = join(folder, 'missing')
    assert.equal(
      refused({ SVC_SECRET_FILE: missing }),
      `The file ${missing} of SVC_SECRET_FILE does not exist.`,
    )
    assert.equal(refused({ SVC_SECRET_FILE: folder }), `The file ${folder} of SVC_SECRET_FILE is a folder.`)
    for (const [text, why] of [
      ['', /is empty: it must contain the value of SVC_SECRET\.$/],
      ['\n', /is empty: it must contain the value of SVC_SECRET\.$/],
      [`${secret}\n${secret}\n`, /has several lines: it must contain the value of SVC_SECRET alone\.$/],
    ] as const) {
      const said = refused({ SVC_SECRET_FILE: fileOf(text) })
      assert.match(said, why)
      assert.ok(!said.includes(secret), 'The content of the file is not shown.')
    }
  })

  it('that is missing keeps the service from starting, with that sentence alone', async () => {
    const { code, output } = await failToStart({ SVC_DATA_DIR: folder, DATABASE_URL_FILE: '/nowhere/url' })
    assert.equal(code, 1)
    assert.equal(output, 'The file /nowhere/url of DATABASE_URL_FILE does not exist.\n')
  })
})
