import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createClient } from '@wbs/sdk'
import { usedDataFolder } from '../../../harness/process.ts'
import { eventually } from '../../../harness/eventually.ts'
import { browsing, press, says, signInAs, skip } from './invitation-browser.ts'

describe('the page of an invitation, with the development provider', { skip }, () => {
  const visit = browsing()

  it('takes sample users and people with any address into a Room', async t => {
    const folder = await usedDataFolder(t)
    const { base_url, quickstart } = await folder.start({ SVC_SAMPLE_DATA: 'off' })
    const { users, workspace_id } = await quickstart()
    const { owner, newcomer } = users
    assert.ok(owner && newcomer)
    const client = createClient({ base_url, access_token: owner.access_token, workspace_id })
    const { room } = await client.createRoom({ title: 'Sale of Glacier' })
    const metadata = (await (await fetch(`${base_url}/.well-known/oauth-protected-resource`)).json()) as {
      sign_in: unknown
    }
    assert.deepEqual(metadata.sign_in, [
      {
        issuer: `${base_url}/identity`,
        client_id: 'wbs-development',
        scope: 'openid profile email offline_access',
        parameters: { audience: 'workspace-business-service' },
      },
    ])
    for (const email of ['Kim+deal@bakery.example', newcomer.email]) {
      await client.inviteParticipant({ room_id: room.room_id, email, access_level: 'view' })
      const link = await eventually(() => linkIn(join(folder.path, 'mail'), email))
      await visit(async ({ page, tokens }) => {
        // The link names this machine by its address; a person may also type the name.
        await page.goto(email === newcomer.email ? link.replace('127.0.0.1', 'localhost') : link)
        await press(page, 'Sign in at')
        if (email === newcomer.email) await page.getByRole('button', { name: /^Jonas Weber/ }).click()
        else await signInAs(page, email)
        await press(page, 'Accept')
        await says(page, 'You have joined Sale of Glacier.')
        const guest = createClient({ base_url, access_token: tokens[0] ?? '', workspace_id })
        assert.equal((await guest.getRoom({ room_id: room.room_id })).room.title, 'Sale of Glacier')
      })
    }
  })
})

/** The link in the newest mail to an address; undefined while there is none. */
function linkIn(folder: string, email: string): string | undefined {
  const mails = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => readFileSync(join(one.parentPath, one.name), 'utf8').replaceAll(/=\r?\n/g, ''))
  const mail = mails.find(text => text.toLowerCase().includes(email.toLowerCase()))
  return /http:[^\s"<]*\/invitations#token=(?:3D)?svr_[\w-]{43}/.exec(mail?.replaceAll('=3D', '=') ?? '')?.[0]
}
