// The site's own program with two of its modules wrapped, for tests that must see inside or cannot wait:
// `node tests/support/watched-site.ts <build folder>`.
import { registerHooks } from 'node:module'

const wrapper = new URL('watched-parts.ts', import.meta.url).href
const wrapped = new Set(
  ['functions/makers.ts', 'src/payments/facilitator-client.ts', 'src/payments/open-payments.ts'].map(
    (file) => new URL(`../../${file}`, import.meta.url).href,
  ),
)

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context)
    return wrapped.has(resolved.url) && context.parentURL !== wrapper ? { ...resolved, url: wrapper } : resolved
  },
})
await import('../../src/server/main.ts')
