import { isObject, readTerms, type Terms, textOf } from './read-terms.ts'

/** Makes the try-it forms of a page send their request and show the response in place. */
export function startTryIt(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>('[data-try-it]')) startForm(form)
}

function startForm(form: HTMLFormElement): void {
  const status = form.querySelector<HTMLElement>('[data-try-it-status]')
  if (!status) return
  const body = form.querySelector<HTMLTextAreaElement>('[data-try-it-body]')
  const button = form.querySelector('button')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    // A second click while a request is in flight would only send it twice.
    if (button?.ariaDisabled === 'true') return
    if (button) button.ariaDisabled = 'true'
    status.textContent = 'Asking…'
    void ask(form, body?.value)
      .catch(() => ({ said: 'The address could not be reached. Try again.', terms: undefined }))
      .then(({ said, terms }) => {
        status.textContent = said
        show(form, terms)
        if (button) button.ariaDisabled = null
      })
  })
}

async function ask(
  form: HTMLFormElement,
  body: string | undefined,
): Promise<{ said: string; terms: Terms | undefined }> {
  const start = performance.now()
  const response = await fetch(form.action, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
  const answer: unknown = await response.json()
  const took = Math.max(1, Math.round(performance.now() - start))
  const header = response.headers.get('payment-required')
  // HTTP/2 has no reason phrases: the text is that of the problem.
  const { title, detail } = isObject(answer) && response.status !== 402 ? answer : { title: 'Payment Required' }
  const name = textOf(title) ?? response.statusText
  const why = detail === undefined || detail === title ? '' : ` ${textOf(detail)}.`
  const said = `${response.status} ${name} in ${took} ms. Nothing was charged.${why}`
  return { said, terms: header === null ? undefined : readTerms(header, answer) }
}

function show(form: HTMLFormElement, terms: Terms | undefined): void {
  const facts = form.querySelector<HTMLElement>('[data-try-it-facts]')
  const whole = form.querySelector<HTMLElement>('[data-try-it-whole]')
  const code = whole?.querySelector('code')
  if (!facts || !whole || !code) return
  facts.hidden = terms === undefined
  whole.hidden = terms === undefined
  code.textContent = terms?.whole ?? ''
  facts.replaceChildren(
    ...(terms?.facts ?? []).flatMap(([label, value]) => {
      const [term, description] = [document.createElement('dt'), document.createElement('dd')]
      term.textContent = label
      description.textContent = value
      return [term, description]
    }),
  )
}
