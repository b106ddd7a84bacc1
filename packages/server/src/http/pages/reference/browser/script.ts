import { findEntries } from '../find-entries.ts'

/**
 * The script of the pages. It adds to pages that are complete without it: search as you type, tabs, copy buttons, the
 * mark of the current section, a choice of colours, and the way from links of earlier versions.
 */
export const script = `'use strict'
const root = document.currentScript.dataset.root
const findEntries = ${String(findEntries)}
const stored = {
  get(key) { try { return localStorage.getItem(key) } catch { return null } },
  set(key, value) { try { localStorage.setItem(key, value) } catch {} },
}
document.documentElement.classList.add('scripted')
if (stored.get('colours')) document.documentElement.dataset.colours = stored.get('colours')

addEventListener('DOMContentLoaded', () => {
  leadFromOldLinks()
  addColours()
  for (const figure of document.querySelectorAll('.tabs')) makeTabs(figure)
  for (const pre of document.querySelectorAll('pre')) addCopy(pre)
  foldContents()
  markSections()
  addSearch(document.querySelector('[role=search]'))
})

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

function leadFromOldLinks() {
  const [, kind, name] = /^#(operation|tag|schema|problem)-([\\w-]+)$/.exec(location.hash) ?? []
  if (!name || !document.getElementById('operations')) return
  const places = { operation: 'docs/operations/', tag: 'docs/', schema: 'docs/schemas/', problem: 'problems/' }
  location.replace(root + places[kind] + name)
}

function addColours() {
  const names = ['system', 'light', 'dark']
  const select = make('select', { id: 'colours' })
  for (const name of names) select.append(make('option', { value: name, textContent: name }))
  select.value = stored.get('colours') ?? 'system'
  select.addEventListener('change', () => {
    document.documentElement.dataset.colours = select.value
    stored.set('colours', select.value)
  })
  document.getElementById('top').append(
    make('p', { className: 'colours' }, make('label', { htmlFor: 'colours', textContent: 'Colours' }), select),
  )
}

/** Panels below each other become tabs. All tabs with the label that was chosen show it, on each page. */
function makeTabs(figure) {
  const panels = [...figure.querySelectorAll('.panel')]
  if (panels.length < 2) return
  const list = make('div', { className: 'tablist', role: 'tablist' })
  list.setAttribute('aria-label', figure.querySelector('figcaption').textContent)
  const tabs = panels.map(panel => {
    const id = 'tab-' + Math.random().toString(36).slice(2)
    const tab = make('button', { type: 'button', role: 'tab', id, textContent: panel.dataset.label })
    panel.id = id + '-panel'
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', id)
    tab.setAttribute('aria-controls', panel.id)
    tab.addEventListener('click', () => { choose(tab); stored.set('tab', tab.textContent) })
    return tab
  })
  function choose(chosen) {
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      tab.tabIndex = tab === chosen ? 0 : -1
      panels[at].hidden = tab !== chosen
    }
  }
  list.addEventListener('keydown', event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
    next.focus()
    next.click()
  })
  list.append(...tabs)
  figure.querySelector('figcaption').after(list)
  choose(tabs.find(tab => tab.textContent === stored.get('tab')) ?? tabs[0])
}

/** Browsers give pages the clipboard only over HTTPS, or on this machine. */
function addCopy(pre) {
  if (!navigator.clipboard) return
  const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
  const label = pre.getAttribute('aria-label')
  if (label) button.setAttribute('aria-label', 'Copy ' + label)
  const said = make('span', { className: 'unseen', role: 'status' })
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent)
      button.textContent = said.textContent = 'Copied'
    } catch {
      button.textContent = said.textContent = 'Not copied'
    }
    setTimeout(() => { button.textContent = 'Copy'; said.textContent = '' }, 2000)
  })
  const frame = make('div', { className: 'frame' })
  pre.replaceWith(frame)
  frame.append(pre, button, said)
}

/** On a narrow screen the contents begin folded. */
function foldContents() {
  const contents = document.querySelector('nav details')
  if (matchMedia('(max-width: 61.99rem)').matches) contents.open = false
  else contents.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
}

/** Marks the section that is read in the contents. */
function markSections() {
  const links = new Map()
  for (const link of document.querySelectorAll('.sections a')) links.set(link.hash.slice(1), link)
  if (links.size === 0) return
  const sections = [...links.keys()].map(id => document.getElementById(id))
  function mark() {
    const end = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
    const passed = sections.filter(section => section.getBoundingClientRect().top < innerHeight / 3)
    const current = end ? sections.at(-1) : passed.at(-1)
    for (const [id, link] of links)
      if (id === current?.id) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}

/** A list of what is found below the field (the pattern of a combobox). Enter without a choice sends the form. */
function addSearch(form) {
  const input = form.querySelector('input')
  const list = make('ul', { id: 'found', role: 'listbox', hidden: true })
  list.setAttribute('aria-label', 'Found')
  const said = make('span', { className: 'unseen', role: 'status' })
  form.append(list, said)
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': 'found', 'aria-expanded': 'false' }))
    input.setAttribute(name, value)
  input.placeholder = 'Press / to search'
  let entries
  const load = () => (entries ??= fetch(root + 'docs/search.json').then(answer => {
    if (!answer.ok) throw new Error(String(answer.status))
    return answer.json()
  }).catch(() => { entries = undefined; return [] }))
  let chosen = -1
  function choose(at) {
    const options = [...list.children]
    chosen = options.length === 0 ? -1 : (at + options.length) % options.length
    for (const [place, option] of options.entries()) option.setAttribute('aria-selected', String(place === chosen))
    const option = options[chosen]
    if (option) { input.setAttribute('aria-activedescendant', option.id); option.scrollIntoView({ block: 'nearest' }) }
    else input.removeAttribute('aria-activedescendant')
  }
  function show(isShown) {
    list.hidden = !isShown
    input.setAttribute('aria-expanded', String(isShown))
    if (!isShown) { chosen = -1; input.removeAttribute('aria-activedescendant') }
  }
  async function search() {
    const query = input.value
    if (query.trim() === '') { said.textContent = ''; return show(false) }
    const all = await load()
    if (query !== input.value) return
    const found = findEntries(all, query, 20)
    list.replaceChildren(...found.map(({ kind, title, path, about }, at) => {
      const option = make('li', { id: 'found-' + at, role: 'option' },
        make('a', { href: root + path, tabIndex: -1 }, make('b', { textContent: title }), ' ', make('small', { textContent: kind }), make('span', { textContent: about })))
      option.setAttribute('aria-selected', 'false')
      return option
    }))
    chosen = -1
    input.removeAttribute('aria-activedescendant')
    said.textContent = found.length === 0 ? 'Nothing found' : found.length + ' found'
    if (found.length === 0) list.append(make('li', { className: 'none', textContent: 'Nothing found' }))
    show(true)
  }
  input.addEventListener('focus', load)
  input.addEventListener('input', search)
  input.addEventListener('keydown', event => {
    // Browsers empty a search field at Escape; the first one only closes the list.
    if (event.key === 'Escape' && !list.hidden) { event.preventDefault(); show(false) }
    else if (event.key === 'Enter' && chosen >= 0) { event.preventDefault(); list.children[chosen].querySelector('a')?.click() }
    else if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      choose(event.key === 'ArrowDown' ? chosen + 1 : Math.max(chosen, 0) - 1)
    }
  })
  form.addEventListener('focusout', event => { if (!form.contains(event.relatedTarget)) show(false) })
  list.addEventListener('mousedown', event => event.preventDefault())
  list.addEventListener('click', () => show(false))
  addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target.closest('input, textarea, select')) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}
`
