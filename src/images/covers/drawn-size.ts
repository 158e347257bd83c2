/** Size of a post's drawing: wide enough for a screen with two pixels per CSS pixel at the column width of a page. */
export const drawnSize = { width: 1280, height: 720 } as const
