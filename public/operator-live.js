// Follows what happens: when the site says that something changed, the page is asked for anew and its live part replaced.
const live = document.querySelector('[data-live]')

/** Parsed by the browser as a page, so that nothing in it runs. */
const load = () =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', location.href)
    request.responseType = 'document'
    request.onload = () => resolve(request.response)
    request.onerror = () => reject(new Error('the site does not answer'))
    request.send()
  })

/** What tells one control from another: where it leads, what it sends, or what it is called. */
const toKey = (control) =>
  [
    control.localName,
    control.getAttribute('href') ??
      control.form?.getAttribute('action') ??
      control.getAttribute('aria-label') ??
      control.textContent,
  ].join(' ')

/**
 * What was opened stays open, and what has the focus keeps it, though it stands elsewhere by now: the link beside it may
 * send other money back. Where it has gone, its table has the focus.
 */
function replace(fresh) {
  const opened = [...live.querySelectorAll('details[open][id]')].map(({ id }) => id)
  const focused = live.contains(document.activeElement) ? document.activeElement : undefined
  const keys = [focused, focused?.closest('[tabindex]')].flatMap((control) => (control ? [toKey(control)] : []))
  live.replaceChildren(...document.adoptNode(fresh).childNodes)
  for (const id of opened) live.querySelector(`details#${CSS.escape(id)}`)?.setAttribute('open', '')
  const controls = [...live.querySelectorAll('a, button, summary, [tabindex]')]
  const found = keys.map((key) => controls.find((control) => toKey(control) === key))
  found.find((control) => control)?.focus({ preventScroll: true })
}

/** A proxy answers for a site that is away. */
const isOurs = (page) => page?.querySelector('body.desk') != null

const retryMs = 3000

/** Loads the page anew once the site has it: what a proxy says meanwhile would take its place, and never come back. */
async function reloadWhenBack() {
  const page = await load().catch(() => undefined)
  if (isOurs(page)) location.reload()
  else setTimeout(() => void reloadWhenBack(), retryMs)
}

let isLoading = false
let isAskedAgain = false

async function renew() {
  isAskedAgain = isLoading
  if (isLoading) return
  isLoading = true
  try {
    const page = await load()
    const fresh = page?.querySelector('[data-live]')
    if (fresh) replace(fresh)
    // Signed out meanwhile: the site has led to where one signs in.
    else if (isOurs(page)) location.reload()
  } catch {
    // The stream comes back when the site does, and then this is done again.
  }
  isLoading = false
  if (isAskedAgain) await renew()
}

if (live) {
  const status = document.querySelector('[data-live-status]')
  const source = new EventSource(live.dataset.live)
  source.addEventListener('open', () => {
    if (status) status.textContent = 'Live.'
  })
  source.addEventListener('error', () => {
    if (status) status.textContent = 'The site does not answer; trying again.'
    if (source.readyState === EventSource.CLOSED) void reloadWhenBack()
  })
  source.addEventListener('change', () => void renew())
}
