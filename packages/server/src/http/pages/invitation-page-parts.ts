/** The style sheet of the page. It loads no fonts, images or colours. */
export const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --paper: #fff; --line: #8b949e; --link: #0a58b5; --on-link: #fff; --bad: #a40e26; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e6ea; --quiet: #9aa4b0; --paper: #14171b; --line: #6b7683; --link: #7db7ff; --on-link: #0b1a2b; --bad: #ff9492; }
}
* { box-sizing: border-box; }
html { font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
body { max-width: 34rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1rem; }
dl[hidden], .of-room[hidden] { display: none; }
dt { color: var(--quiet); }
dd { margin: 0; font-weight: 600; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { width: 100%; padding: .7rem; border: 1px solid var(--line); border-radius: .4rem; font: inherit; color: inherit; background: var(--paper); }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
button { min-height: 2.75rem; padding: .6rem 1.4rem; border: 1px solid var(--link); border-radius: .4rem; font: inherit; font-weight: 600; color: var(--on-link); background: var(--link); cursor: pointer; }
button.quiet { color: var(--link); background: var(--paper); }
button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.bad { color: var(--bad); font-weight: 600; }
`

/** The script of the page, for any current browser. Everything it shows is inserted as text. */
export const script = `
'use strict';
const at = id => document.getElementById(id);
const token = () => new URLSearchParams(location.hash.slice(1)).get('token') || '';
const keys = {};

function say(text, bad) {
  at('status').textContent = text;
  at('status').className = bad ? 'bad' : '';
}

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
}

async function send(path, headers) {
  const response = await fetch('v1/invitations/' + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ token: token() }),
    referrerPolicy: 'no-referrer',
  });
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error(body.detail), { status: response.status });
  return body;
}

const statuses = {
  accepted: 'This invitation was accepted.',
  declined: 'This invitation was declined.',
  revoked: 'This invitation was revoked.',
  expired: 'This invitation has expired. Ask the person who invited you for a new one.',
};

const levels = { view: 'a person who can view it', edit: 'a person who can edit it', full_access: 'a person with full access' };

function show(invitation) {
  at('workspace').textContent = invitation.workspace_name;
  at('inviter').textContent = invitation.inviter_name || 'a person without a name';
  at('email').textContent = invitation.masked_email;
  at('room').textContent = invitation.room_title || '';
  document.querySelectorAll('.of-room').forEach(part => { part.hidden = invitation.kind !== 'room'; });
  at('role').textContent = invitation.role || levels[invitation.access_level] || '';
  at('expires').textContent = new Date(invitation.expires_at).toLocaleString();
  at('facts').hidden = false;
  at('answer').hidden = invitation.status !== 'pending';
  say(statuses[invitation.status] || (invitation.kind === 'room' ? 'You are invited to a Room.' : 'You are invited to a Workspace.'));
}

async function inspect() {
  at('facts').hidden = at('answer').hidden = true;
  delete keys.accept;
  delete keys.decline;
  if (token() === '') return say('Open this page with the link in your invitation mail.', true);
  try {
    show((await send('inspect', {})).data);
  } catch (error) {
    if (error.status === 404) say('There is no such invitation. If it was sent again, use the link in the latest mail.', true);
    else say('The invitation cannot be shown now. Reload the page to try again.', true);
  }
}

async function answer(how) {
  const buttons = document.querySelectorAll('button');
  buttons.forEach(button => { button.disabled = true; });
  say('One moment…');
  // The same key for each attempt, so that the answer is given only once.
  keys[how] = keys[how] || newKey();
  try {
    const given = await send(how, {
      authorization: 'Bearer ' + at('access-token').value.trim(),
      'idempotency-key': keys[how],
    });
    at('answer').hidden = true;
    at('access-token').value = '';
    say(how === 'accept' ? 'You have joined ' + (given.room ? given.room.title : given.workspace.name) + '.' : 'You have declined.');
  } catch (error) {
    say(error.status ? error.message : 'The service cannot be reached. Try again.', true);
  } finally {
    buttons.forEach(button => { button.disabled = false; });
  }
}

at('answer').addEventListener('submit', event => {
  event.preventDefault();
  answer(event.submitter ? event.submitter.value : 'accept');
});
addEventListener('hashchange', inspect);
inspect();
`
