import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { dataFolder, failToStart, postmasterOf, usedDataFolder } from '../harness/process.ts'
import { eventually } from '../harness/eventually.ts'
import { readScrape } from '../telemetry/scrape.ts'

describe('the port of the metrics', () => {
  it('answers while the service runs, and the port of the service has no metrics', async t => {
    const folder = await usedDataFolder(t)
    const service = await folder.start({ SVC_SAMPLE_DATA: 'off', SVC_METRICS_PORT: '0' })
    const url = await eventually(() => /Metrics +(http:\S+)/.exec(service.output())?.[1])
    assert.equal((await fetch(`${service.base_url}/ready`)).status, 200)
    assert.equal((await fetch(`${service.base_url}/metrics`)).status, 404)
    const ready = { operation: 'ready', http_response_status_code: '200' }
    const count = async () => {
      const scrape = readScrape(await (await fetch(url)).text())
      return scrape.sum('http_server_request_duration_seconds_count', ready)
    }
    // A text is kept for a second.
    await eventually(async () => ((await count()) ?? 0) >= 1)
    // A scraper that holds a connection does not keep the service from ending.
    const held = await fetch(url)
    assert.equal(await service.end(), 0)
    await held.text().catch(() => undefined)
    await assert.rejects(fetch(url))
  })

  it('is refused in one sentence if it is in use, before anything is started', async t => {
    const folder = await dataFolder(t)
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const { code, output } = await failToStart({
      SVC_DATA_DIR: folder.path,
      SVC_METRICS_PORT: String(port),
    })
    assert.equal(code, 1)
    assert.equal(
      output,
      `Port ${port} on 127.0.0.1 is in use; set SVC_METRICS_PORT to another one, or stop what uses it.\n`,
    )
    assert.equal(postmasterOf(folder.path), null)
    taken.close()
  })

  it('is refused in one sentence on an address of another machine', async t => {
    const folder = await dataFolder(t)
    const { code, output } = await failToStart({
      SVC_DATA_DIR: folder.path,
      SVC_METRICS_PORT: '0',
      SVC_METRICS_HOST: '203.0.113.1',
    })
    assert.equal(code, 1)
    assert.equal(output, 'SVC_METRICS_HOST 203.0.113.1 is not an address of this machine.\n')
  })
})
