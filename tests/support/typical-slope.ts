/**
 * How much `y` grows with `x`: the median of the slopes between all pairs of points (Theil–Sen), which a few outliers
 * do not affect.
 */
export function typicalSlope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const slopes = points
    .flatMap((a, index) => points.slice(index + 1).map((b) => (b.y - a.y) / (b.x - a.x)))
    .sort((a, b) => a - b)
  const middle = slopes[Math.floor(slopes.length / 2)]
  if (middle === undefined) throw new Error('a slope needs two points')
  return middle
}
