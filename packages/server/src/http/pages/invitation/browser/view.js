// What the page shows. Everything is inserted as text.

const at = id => document.getElementById(id)

/**
 * @param {string} text
 * @param {boolean} [isBad]
 */
export function say(text, isBad = false) {
  at('status').textContent = text
  at('status').className = isBad ? 'bad' : ''
}

/** Shows some of the page's parts, and hides the others. */
export function showOnly(...ids) {
  for (const part of document.querySelectorAll('.part')) part.hidden = !ids.includes(part.id)
}

const levels = {
  view: 'a person who can view it',
  edit: 'a person who can edit it',
  full_access: 'a person with full access',
}

/** Fills in what an invitation is for. */
export function fillFacts(invitation) {
  at('workspace').textContent = invitation.workspace_name
  at('inviter').textContent = invitation.inviter_name || 'a person without a name'
  at('email').textContent = invitation.masked_email
  at('room').textContent = invitation.room_title ?? ''
  for (const part of document.querySelectorAll('.of-room')) part.hidden = invitation.kind !== 'room'
  at('role').textContent = invitation.role ?? levels[invitation.access_level] ?? ''
  at('expires').textContent = new Date(invitation.expires_at).toLocaleString()
}

/**
 * Fills in the ways to sign in: a button for each issuer that can be reached, and one for a new account where the
 * issuer says that it takes people to one.
 *
 * @param options the page's sign-in options
 * @param {string} masked_email
 * @param {(option, prompt?: 'create') => void} leave
 */
export function fillWays(options, masked_email, leave) {
  const reachable = options.filter(option => option.endpoints !== null)
  const creating = reachable.filter(option => option.endpoints.prompt_values_supported.includes('create'))
  at('ways').replaceChildren(
    ...reachable.map(option => button(`Sign in at ${option.name}`, () => leave(option))),
    ...creating.map(option =>
      button(`Create an account at ${option.name}`, () => leave(option, 'create'), 'quiet'),
    ),
  )
  at('how').textContent =
    options.length === 0
      ? 'People do not sign in on this page. Ask the person who invited you in which application you accept the invitation; this link stays good until then.'
      : `Sign in with your account for ${masked_email}, then accept or decline. Nothing is accepted before you say so.`
  const out = options.filter(option => option.endpoints === null).map(({ name }) => name)
  at('out').hidden = out.length === 0
  at('out-names').textContent = out.length === 0 ? '' : `You cannot sign in at ${out.join(' or ')} now.`
  const without = reachable.filter(option => !creating.includes(option)).map(({ name }) => name)
  at('no-account').hidden = without.length === 0
  at('no-account').textContent =
    `You have no account at ${without.join(' or ')}? Ask the person who invited you how you get one for the invited address, then open the link in the mail again.`
}

/** Fills in as whom the person is signed in. Returns whether an answer can be given as this person. */
export function fillPerson(user) {
  const name = nameOf(user)
  at('person').textContent = name
  const isConfirmed = user.email !== null && user.email_verified
  at('unconfirmed').hidden = isConfirmed
  at('answers').hidden = !isConfirmed
}

/** @returns {string} */
export function nameOf({ name, email }) {
  if (name && email && name !== email) return `${name} (${email})`
  return email ?? name ?? 'a person without an email address'
}

const may = {
  view: 'view what is in it',
  edit: 'view and edit what is in it',
  full_access: 'do everything in it, and manage who takes part',
}

/**
 * Fills in where somebody is who has accepted, what they may do there, and the IDs for the application that they use.
 *
 * @param facts what the invitation was for
 * @param given the answer to accepting it
 */
export function fillJoined(facts, { action_receipt, workspace, membership, room }) {
  const level = room?.access_level
  at('joined-room-title').textContent = room?.title ?? ''
  at('joined-workspace-name').textContent = workspace?.name ?? facts.workspace_name
  at('joined-may').textContent = room
    ? (may[level] ?? level)
    : `work there as ${membership?.role ?? facts.role}`
  at('joined-workspace').textContent = action_receipt.workspace_id
  at('joined-room').textContent = room?.room_id ?? ''
  for (const part of document.querySelectorAll('.joined-room')) part.hidden = !room
}

const mostRooms = 10

/**
 * Fills in the Rooms in which somebody takes part besides the one that they have just joined, the latest first.
 *
 * @param me what the service says of them
 * @param {string} [joined] the ID of that Room
 */
export function fillRooms({ rooms, rooms_has_more }, joined) {
  const others = rooms.filter(({ room_id }) => room_id !== joined)
  const shown = others.slice(0, mostRooms).map(({ title, workspace_name }) => [title, workspace_name])
  const isMore = rooms_has_more || others.length > mostRooms
  at('other-rooms').replaceChildren(
    ...[...shown, ...(isMore ? [['More Rooms', 'use wbs me rooms for all of them']] : [])].map(roomItem),
  )
  at('others').hidden = others.length === 0
}

function roomItem([title, where]) {
  const item = document.createElement('li')
  const name = document.createElement('strong')
  name.textContent = title
  item.append(name, ` · ${where}`)
  return item
}

/** @param {boolean} isBusy */
export function setBusy(isBusy) {
  for (const one of document.querySelectorAll('button')) one.disabled = isBusy
}

/** Moves the keyboard to the message, because the button that was pressed is no longer there. */
export const focusMessage = () => at('status').focus()

/**
 * @param {string} id
 * @param {() => void} act
 */
export const onPress = (id, act) => at(id).addEventListener('click', act)

function button(text, act, className = '') {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = className
  made.textContent = text
  made.addEventListener('click', act)
  return made
}
