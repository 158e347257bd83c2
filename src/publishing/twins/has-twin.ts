const twinned = /^\/(?:(?:posts|tags|skills|apis|problems)(?:\/[^/]+)?|about|agents(?:\/mcp)?|podcast|search|status)?$/

/**
 * Whether the page at this path has a markdown twin. Pages ask it here, because a layout that running pages share
 * must not carry the content; a test compares it with the twins that exist.
 */
export const hasTwin = (path: string): boolean => twinned.test(path)
