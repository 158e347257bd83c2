import type { Purchase } from './kept-purchases.ts'

/** Converts the fields of a form to the request that buys: a JSON body or a query. Empty fields are left out. */
export function readForm(form: HTMLFormElement): Purchase {
  const { path = '', method = 'GET' } = form.dataset
  const input = Object.fromEntries(
    Array.from(form.querySelectorAll<HTMLInputElement>('[data-kind]'), (field) => [field.name, readValue(field)]),
  )
  if (method === 'POST') return { id: path, method, path, body: JSON.stringify(input) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) if (value !== undefined) query.append(name, String(value))
  return { id: path, method, path: query.size > 0 ? `${path}?${query}` : path }
}

/** The value of a field; undefined is left out of JSON. */
function readValue({ dataset, value, checked }: HTMLInputElement): unknown {
  switch (dataset['kind']) {
    case 'switch':
      return checked
    case 'list':
      return value
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    case 'number':
      return value === '' ? undefined : Number(value)
    default:
      return value.trim() === '' ? undefined : value
  }
}
