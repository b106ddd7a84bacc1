import { randomUUID } from 'node:crypto'
import type { Client } from '@wbs/sdk'
import { textFile } from '../../files/fresh-file.ts'
import { plainText, sha256Of } from '../../files/uploads/upload-fixture.ts'
import type { DriverOf } from './driver.ts'
import type { StateWorld } from './state-world.ts'

const content = Buffer.from('# Memorandum\n')
/** Longer than an upload lasts. */
const eightDays = 8 * 24 * 3_600_000

export function fileDriver({ us }: StateWorld): DriverOf<'file'> {
  return {
    async make() {
      const { file_id } = await textFile(us)
      const { room_id } = (await us.createRoom({ title: 'Sale of Glacier' })).room
      const read = async () => (await us.getFile({ file_id })).file
      const named = async () => ({ file_id, expected_revision: (await read()).revision })
      return {
        async look() {
          const { lifecycle, revision } = await read()
          return { state: lifecycle, revision }
        },
        moves: {
          update: async () => us.updateFile({ ...(await named()), name: `${randomUUID()}.md` }),
          add_version: async () => us.addFileVersion({ ...(await named()), size_bytes: content.length }),
          attach: () => us.attachRoomFile({ room_id, file_id }),
          archive: async () => us.archiveFile(await named()),
          restore: async () => us.restoreFile(await named()),
        },
      }
    },
  }
}

/** An upload that has begun, with the steps that drivers have in common. */
async function begin(world: StateWorld, more: Partial<Parameters<Client['createFileUpload']>[0]> = {}) {
  const { us, workspace_id } = world
  const begun = await us.createFileUpload({
    name: 'Memorandum.md',
    content_type: 'text/markdown',
    size_bytes: content.length,
    ...more,
  })
  const { upload_id } = begun.upload
  const { file_id } = begun.file
  const { file_version_id } = begun.new_version
  const status = async () => (await us.getUpload({ upload_id })).upload.status
  const send = () => us.uploadContent({ upload_id, content: content.toString('base64') })
  return {
    ...begun,
    upload_id,
    file_id,
    file_version_id,
    status,
    send,
    async complete(sha256?: string) {
      if ((await status()) === 'open') await send()
      return us.completeUpload({ upload_id, ...(sha256 !== undefined && { sha256 }) })
    },
    abort: () => us.abortUpload({ upload_id }),
    expire: () => world.run('expire_upload', { workspace_id, upload_id }, eightDays),
    async process(error: 'unreadable' | null = null) {
      world.inspection.finds = { ...plainText, error }
      await world.run('process_file_version', { workspace_id, file_version_id, last: false })
    },
  }
}

export function fileVersionDriver(world: StateWorld): DriverOf<'file_version'> {
  const { us } = world
  return {
    async make() {
      const { file_id, file_version_id, ...upload } = await begin(world)
      const of = { file_id, file_version_id }
      const named = async () => ({
        ...of,
        expected_revision: (await us.getFile({ file_id })).file.revision,
      })
      return {
        async look() {
          const { processing_status, processing_error } = (await us.getFileVersion(of)).data
          const isStored = processing_error === null || processing_error === 'unreadable'
          return { state: isStored ? processing_status : 'unstored' }
        },
        moves: {
          complete: () => upload.complete(),
          complete_with_other_content: () => upload.complete(sha256Of(Buffer.from('other'))),
          abort: upload.abort,
          expire: upload.expire,
          process: () => upload.process(),
          fail: () => upload.process('unreadable'),
          retry: async () => us.retryFileVersion(await named()),
          read: () => us.readFileContent(of),
          restore: async () => us.restoreFileVersion(await named()),
        },
      }
    },
    // The upload is what is refused, with its own status.
    refusal: move =>
      move === 'abort' || move.startsWith('complete') ? { code: 'state_conflict' } : undefined,
  }
}

export function uploadDriver(world: StateWorld): DriverOf<'upload'> {
  return {
    async make() {
      const { status, send, complete, abort, expire } = await begin(world)
      return {
        look: async () => ({ state: await status() }),
        moves: { send, complete: () => complete(), abort, expire },
      }
    },
  }
}

export function roomFileDriver(world: StateWorld): DriverOf<'room_file'> {
  const { us } = world
  return {
    async make() {
      const { room } = await us.createRoom({ title: 'Sale of Glacier' })
      const begun = await begin(world, { room_id: room.room_id })
      const room_file_id = String(begun.room_file?.room_file_id)
      const read = async () => (await us.getRoomFile({ room_file_id })).room_file
      const named = async () => ({ room_file_id, expected_revision: (await read()).revision })
      async function makeReady() {
        if ((await begun.status()) === 'open') await begun.complete()
        await begun.process()
      }
      return {
        async look() {
          const { status, revision } = await read()
          return { state: status, revision }
        },
        moves: {
          update: async () => us.updateRoomFile({ ...(await named()), index_path: `${randomUUID()}.md` }),
          activate: makeReady,
          archive: async () => us.archiveRoomFile(await named()),
          async restore() {
            if ((await read()).status === 'archived') await makeReady()
            return us.restoreRoomFile(await named())
          },
          restore_before_ready: async () => us.restoreRoomFile(await named()),
        },
      }
    },
  }
}
