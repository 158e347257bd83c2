import { themeCss, themeVersion } from '../styles/theme.ts'

export const getStaticPaths = () => [{ params: { version: themeVersion } }]

export const GET = () =>
  new Response(themeCss, {
    headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
  })
