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
[hidden] { display: none !important; }
dt { color: var(--quiet); }
dd { margin: 0; font-weight: 600; }
a { color: var(--link); }
.small { color: var(--quiet); }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; }
button { min-height: 2.75rem; padding: .6rem 1.4rem; border: 1px solid var(--link); border-radius: .4rem; font: inherit; font-weight: 600; color: var(--on-link); background: var(--link); cursor: pointer; }
button.quiet { color: var(--link); background: var(--paper); }
button:disabled { opacity: .6; cursor: default; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.bad { color: var(--bad); font-weight: 600; }
`
