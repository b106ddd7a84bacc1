import { readFileSync, statSync } from 'node:fs'
import { EmbeddedServerError } from './errors.ts'

/** The user that PostgreSQL's processes run as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/**
 * The account for the cluster at `cluster`: this process's own. PostgreSQL refuses root, so a root process gets the
 * owner of an existing cluster, or else the user `postgres` or `nobody`. Throws EmbeddedServerError.
 */
export function accountFor(cluster: string): Account {
  if (!process.geteuid || !process.getegid) {
    throw new EmbeddedServerError(
      'no_account',
      'PostgreSQL is not built in on this platform: set DATABASE_URL.',
    )
  }
  const self = { uid: process.geteuid(), gid: process.getegid() }
  const owner = ownerOf(cluster)
  if (self.uid !== 0) return refuseForeign(cluster, owner, self)
  if (owner && owner.uid !== 0) return owner
  return unprivilegedUser(readFileSync('/etc/passwd', 'utf8'))
}

/** The unprivileged user to run PostgreSQL as, from the text of /etc/passwd. Throws EmbeddedServerError if there is none. */
export function unprivilegedUser(passwd: string): Account {
  const users = passwd.split('\n').map(line => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find(fields => fields[0] === name) ?? []
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new EmbeddedServerError(
    'no_account',
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as: ' +
      'start the service as another user, or set DATABASE_URL.',
  )
}

function ownerOf(path: string): Account | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

function refuseForeign(cluster: string, owner: Account | undefined, self: Account) {
  if (!owner || owner.uid === self.uid) return self
  throw new EmbeddedServerError(
    'foreign_cluster',
    `The database in ${cluster} belongs to user ${owner.uid}, not to you (${self.uid}): start the service as that user.`,
  )
}
