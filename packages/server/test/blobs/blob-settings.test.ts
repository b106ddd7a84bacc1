import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/config-values.ts'

const s3 = (env: Record<string, string>) => readConfig(env).blobs.s3

describe('BLOBS_URL', () => {
  it('is not needed: content is kept in the data folder then', () => {
    assert.equal(s3({}), null)
    assert.equal(s3({ BLOBS_URL: '' }), null)
  })

  it('names a bucket of AWS, whose keys the SDK may find itself', () => {
    assert.deepEqual(s3({ BLOBS_URL: 's3://harbor-content?region=eu-central-1' }), {
      bucket: 'harbor-content',
      prefix: '',
      endpoint: null,
      region: 'eu-central-1',
      path_style: false,
      credentials: null,
    })
  })

  it('names a bucket of another server, with a prefix and keys', () => {
    const url = 's3://content/harbor/live/?endpoint=https://s3.example.com:9000/&path_style=true'
    assert.deepEqual(s3({ BLOBS_URL: url, S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }), {
      bucket: 'content',
      prefix: 'harbor/live/',
      endpoint: 'https://s3.example.com:9000',
      region: 'us-east-1',
      path_style: true,
      credentials: { access_key_id: 'key', secret_access_key: 'secret' },
    })
  })

  it('is refused with a sentence that says what would be right, and contains no key', () => {
    for (const [url, message] of [
      ['content', /^BLOBS_URL must be of the form s3:/],
      ['https://s3.example.com/content', /^BLOBS_URL must be of the form s3:/],
      ['s3://key:hidden@content?region=eu-central-1', /^BLOBS_URL must not contain keys/],
      ['s3://Content?region=eu-central-1', /^BLOBS_URL must name a bucket/],
      ['s3://c?region=eu-central-1', /^BLOBS_URL must name a bucket/],
      ['s3://content', /^BLOBS_URL must have a region/],
      ['s3://content?region=', /^BLOBS_URL must have a region/],
      ['s3://content/a%20b?region=eu-central-1', /^BLOBS_URL must have a prefix/],
      ['s3://content?endpoint=s3.example.com', /^BLOBS_URL must have an endpoint/],
      ['s3://content?endpoint=https://s3.example.com/path', /^BLOBS_URL must have an endpoint/],
      ['s3://content?endpoint=https://key:hidden@s3.example.com', /^BLOBS_URL must have an endpoint/],
      ['s3://content?region=eu-central-1&path_style=yes', /^BLOBS_URL must have path_style/],
      ['s3://content?region=eu-central-1&secret=hidden', /^BLOBS_URL takes the parameters/],
      ['s3://content?region=eu-central-1&region=us-east-1', /^BLOBS_URL takes the parameters/],
    ] as const)
      assert.throws(
        () => s3({ BLOBS_URL: url }),
        (error: unknown) => {
          assert.ok(error instanceof ConfigError, url)
          assert.match(error.message, message, url)
          assert.ok(!error.message.includes('hidden'))
          return true
        },
      )
  })

  it('is refused with one of the two keys', () => {
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      assert.throws(
        () => s3({ BLOBS_URL: 's3://content?region=eu-central-1', [name]: 'hidden' }),
        /^Error: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together, or neither\.$/,
      )
  })
})
