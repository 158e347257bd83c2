export const width = 80
export const height = 40
export const cellCount = width * height

/** North, east, south, west, then the four diagonals. */
export const offsets: readonly number[] = [-width, 1, width, -1, 1 - width, 1 + width, width - 1, -width - 1]
