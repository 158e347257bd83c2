import { fillMentions, mentionsMark } from '../mentions/mention-marks.ts'
import { fillPlaceholders, hasPlaceholders } from '../narration/placeholders/placeholders.ts'

const asRendered = '<script type="module" src='
const late = '<script type="module" fetchpriority="low" src='

/** The forms of a page. */
export interface PageForms {
  /** Without narration and mentions, so that any file server can serve it. */
  readonly served: string
  /** With placeholders, for the running site; undefined when the page has none. */
  readonly withPlaceholders?: string
}

/**
 * Makes the forms of a rendered page. Its module scripts get a low fetch priority (`fetchpriority`, HTML), because they
 * only enhance a page: by default browsers request them as urgently as a blocking script, ahead of what the page is
 * painted with.
 */
export function toPageForms(rendered: string): PageForms {
  const html = rendered.replaceAll(asRendered, late)
  if (!hasPlaceholders(html) && !html.includes(mentionsMark)) return { served: html }
  const silent = fillPlaceholders(html, () => undefined)
  return { served: fillMentions(silent, []), withPlaceholders: html }
}
