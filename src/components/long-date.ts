import site from '../../site.config.ts'

// Made once: making it takes longer than all else of a line in a list.
const format = new Intl.DateTimeFormat(site.language, { dateStyle: 'long', timeZone: 'UTC' })

/** A day in the words of the site's language, as it is in UTC. */
export const toLongDate = (date: Date): string => format.format(date)
