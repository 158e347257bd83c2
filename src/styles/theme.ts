import { createHash } from 'node:crypto'
import site from '../../site.config.ts'

/** The operator's colours as a stylesheet. A file of its own, because the pages' policy allows no inline styles. */
export const themeCss = `:root{--accent:light-dark(${site.accent.light},${site.accent.dark})}`

/** Names the stylesheet after its content, so that it can be kept for ever. */
export const themeVersion = createHash('sha256').update(themeCss).digest('hex').slice(0, 8)
