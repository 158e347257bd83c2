import site from '../../site.config.ts'
import { prerendered } from '../endpoints/served.ts'

/** The web app manifest, for shortcuts to the site on home screens. */
const manifest = {
  name: site.name,
  description: site.tagline,
  lang: site.language,
  start_url: '/',
  display: 'browser',
  theme_color: site.accent.light,
  icons: [
    { src: '/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any maskable' },
    { src: '/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any maskable' },
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
  ],
}

export const GET = () => prerendered('/site.webmanifest', manifest, { 'content-type': 'application/manifest+json' })
