// The page of an invitation: shows it, signs the person in, and gives their answer when they press a button.
import { answer, inspect, whoIs } from './service.js'
import { leaveFor, SignInFault, signInWith, takeAnswer } from './sign-in.js'
import { forget, keep, stored } from './storage.js'
import {
  fillFacts,
  fillJoined,
  fillPerson,
  fillRooms,
  fillWays,
  focusMessage,
  nameOf,
  onPress,
  say,
  setBusy,
  showOnly,
} from './view.js'

const options = JSON.parse(document.getElementById('options').textContent)

/** The invitation of this tab: its token, the key of each answer, and what the service says of it. */
let invitation = null
/** Who is signed in, with the access token, which is nowhere else. */
let session = null

const endings = {
  accepted: 'This invitation was accepted.',
  declined: 'This invitation was declined.',
  revoked: 'This invitation was revoked.',
  expired: 'This invitation has expired. Ask the person who invited you for a new one.',
}

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** The invitation of the link, or else that of this tab. The token leaves the address if the tab can store it. */
function takeInvitation() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!token) return stored('invitation')
  const taken = { token, keys: { accept: newKey(), decline: newKey() } }
  if (keep('invitation', taken)) history.replaceState(null, '', location.pathname + location.search)
  return taken
}

async function open() {
  showOnly()
  session = null
  invitation = takeInvitation()
  const fromIssuer = takeAnswer()
  if (invitation === null) return say('Open this page with the link in your invitation mail.', true)
  try {
    invitation.facts = await inspect(invitation.token)
  } catch (error) {
    if (error.status !== 404)
      return say('The invitation cannot be shown now. Reload the page to try again.', true)
    forget('invitation')
    return say('There is no such invitation. If it was sent again, use the link in the latest mail.', true)
  }
  const { facts } = invitation
  fillFacts(facts)
  if (facts.status !== 'pending') {
    showOnly('facts')
    return say(endings[facts.status] ?? `This invitation is ${facts.status}.`)
  }
  if (fromIssuer !== null) return comeBack(fromIssuer)
  askToSignIn(facts.kind === 'room' ? 'You are invited to a Room.' : 'You are invited to a Workspace.')
}

function askToSignIn(text, isBad = false) {
  session = null
  fillWays(options, invitation.facts.masked_email, (...way) => void leave(...way))
  showOnly('facts', 'sign-in')
  setBusy(false)
  say(text, isBad)
}

async function leave(option, prompt) {
  setBusy(true)
  say('One moment…')
  try {
    await leaveFor(option, prompt)
  } catch (error) {
    askToSignIn(error instanceof SignInFault ? error.message : 'You cannot sign in now. Try again.', true)
  }
}

async function comeBack(fromIssuer) {
  say('Completing the sign-in…')
  try {
    const { access_token, option } = await signInWith(fromIssuer, options)
    session = { access_token, option, user: (await whoIs(access_token)).user }
  } catch (error) {
    return askToSignIn(error instanceof SignInFault ? error.message : refusal(error), true)
  }
  fillPerson(session.user)
  showOnly('facts', 'answer')
  say('You are signed in. Accept or decline the invitation.')
}

const refusal = ({ status, message }) =>
  status === 401
    ? `The service does not accept this sign-in: ${message} Tell the person who invited you.`
    : message

async function give(how) {
  setBusy(true)
  say('One moment…')
  try {
    const { access_token } = session
    const given = await answer(how, invitation, access_token)
    if (how === 'accept') await readRooms(access_token, given)
    finish(how, given)
  } catch (error) {
    explain(error)
  } finally {
    setBusy(false)
  }
}

/** Shows the Rooms in which they take part by now. They have joined, even if the service cannot tell those. */
const readRooms = (access_token, { room }) =>
  whoIs(access_token).then(
    me => fillRooms(me, room?.room_id),
    () => undefined,
  )

function finish(how, given) {
  forget('invitation')
  session = null
  if (how === 'decline') {
    showOnly('facts')
    say('You have declined.')
  } else {
    fillJoined(invitation.facts, given)
    showOnly('joined')
    say(`You have joined ${given.room?.title ?? given.workspace.name}.`)
  }
  focusMessage()
}

function explain({ status, message }) {
  if (status === 401) return askToSignIn('Your sign-in has expired. Sign in again.', true)
  // The invitation was answered, withdrawn or expired meanwhile.
  if ([404, 409, 410].includes(status)) showOnly('facts')
  if (status !== 403) return say(message, true)
  say(
    `You are signed in as ${nameOf(session.user)}, and this invitation is for ${invitation.facts.masked_email}. Sign in with another account.`,
    true,
  )
}

/** Issuers that let people choose an account say so; all of them can ask for the sign-in again. */
function leaveForAnother() {
  const { option } = session
  const canChoose = option.endpoints.prompt_values_supported.includes('select_account')
  return leave(option, canChoose ? 'select_account' : 'login')
}

onPress('accept', () => void give('accept'))
onPress('decline', () => void give('decline'))
onPress('another', () => void leaveForAnother())
onPress('again', () => location.reload())
addEventListener('hashchange', () => void open())
// A page that the browser kept while it was at the issuer still waits to leave.
addEventListener('pageshow', event => {
  if (event.persisted) void open()
})
void open()
