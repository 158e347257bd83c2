/** Of a post's drawing: wide enough for a screen of two pixels per point at the measure of a page. */
export const drawnSize = { width: 1280, height: 720 } as const
