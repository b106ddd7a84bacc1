import { enterRoom } from '../../harness/rooms.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { someApp } from '../../harness/test-app.ts'
import type { MailMessage } from '../../../src/mail/mailer.ts'

/** A guest among rivals. Everything that they write has their mark. */
export interface Rival {
  number: number
  person: Person
}

/** A Room that hides its guests from each other, with a manager, a member and rivals. */
export interface RivalWorld {
  service: TestService
  workspace_id: string
  room_id: string
  connection_id: string
  manager: Person
  member: Person
  rivals: Rival[]
  mails: MailMessage[]
  close(): Promise<void>
}

/** A word of a rival, which is in no other text of the walk. */
export const wordOf = (number: number, count: number | string) => `wordofrival${number}x${count}end`

/** The words of rivals in an answer, each with the number of its rival. */
export const wordsIn = (text: string): { word: string; number: number }[] =>
  [...text.matchAll(/wordofrival(\d+)x\w+end/gi)].map(([word, number]) => ({
    word: word.toLowerCase(),
    number: Number(number),
  }))

export async function makeRivalWorld(count: number): Promise<RivalWorld> {
  const mails: MailMessage[] = []
  const service = await startTestService({
    mailer: {
      send: mail => {
        mails.push(mail)
        return Promise.resolve()
      },
    },
  })
  const [manager, member] = [service.person('Olivia'), service.person('Mia')]
  const workspace_id = await service.workspace('Harbor', manager, { member })
  const us = service.client({ access_token: manager.token, workspace_id })
  const { room } = await us.createRoom({ title: 'Auction' })
  const { room_id } = room
  await us.updateRoom({ room_id, expected_revision: 1, participant_visibility: 'managers' })
  await enterRoom(service, { workspace_id, room_id }, member, 'edit')
  const rivals: Rival[] = []
  for (let number = 0; number < count; number++) {
    const person = service.person(`Rival ${wordOf(number, 'name')}`)
    await person.client.createWorkspace({ name: 'Their own' })
    await enterRoom(service, { workspace_id, room_id }, person, number % 4 === 3 ? 'view' : 'edit')
    rivals.push({ number, person })
  }
  const { data } = await us.shareConnection({ room_id, ...someApp })
  const { connection_id } = data
  return {
    service,
    workspace_id,
    room_id,
    connection_id,
    manager,
    member,
    rivals,
    mails,
    close: service.close,
  }
}
