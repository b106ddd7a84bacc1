import { workInRoom } from '../out/work-in-room.js'

// A web app of another origin: signs in with the authorization code flow and PKCE, then works with the service.

const { service } = document.documentElement.dataset
const client_id = 'wbs-development'
const redirect_uri = `${location.origin}/callback`
const read = async url => (await fetch(url)).json()
const endpoints = await read(`${service}/identity/.well-known/openid-configuration`)
const base64url = bytes =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function begin() {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  sessionStorage.setItem('verifier', verifier)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    scope: 'openid profile email',
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  location.assign(`${endpoints.authorization_endpoint}?${parameters}`)
}

async function finish(code) {
  const code_verifier = sessionStorage.getItem('verifier')
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier }
  const answer = await fetch(endpoints.token_endpoint, { method: 'POST', body: new URLSearchParams(form) })
  return (await answer.json()).access_token
}

const inWorker = settings =>
  new Promise((resolve, reject) => {
    const worker = new Worker('/bundled.js', { type: 'module' })
    worker.addEventListener('message', ({ data }) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
    worker.postMessage(settings) // oxlint-disable-line unicorn/require-post-message-target-origin -- a worker has none
  })

const code = new URLSearchParams(location.search).get('code')
if (code === null) await begin()
else {
  const settings = { base_url: service, access_token: await finish(code) }
  const outcome = {}
  for (const [place, work] of Object.entries({ page: workInRoom, worker: inWorker }))
    outcome[place] = await work(settings).catch(error => ({ error: String(error?.stack ?? error) }))
  globalThis.outcome = outcome
}
