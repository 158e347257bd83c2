import site from '../../site.config.ts'

/** A coin with the first letter of the site's name. */
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${site.accent.light}"/><circle cx="16" cy="16" r="12.5" fill="none" stroke="#fff" stroke-opacity=".45"/><text x="16" y="22.5" text-anchor="middle" font-family="Georgia,serif" font-weight="700" font-size="18" fill="#fff">${[...site.name][0] ?? ''}</text></svg>`

export const GET = () =>
  new Response(favicon, { headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' } })
