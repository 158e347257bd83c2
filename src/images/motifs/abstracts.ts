import { box, disc, fill, line, type Motif, motif, oval } from './shape.ts'

/** Things for texts without a known motif. */
export const abstracts: readonly [Motif, ...Motif[]] = [
  motif(
    'three balanced stones',
    'any',
    fill('dark', 'M10 90C6 74 24 66 52 66C82 66 96 76 90 90Z'),
    fill('main', 'M24 66C18 52 34 42 54 42C74 42 82 54 76 66C60 70 38 70 24 66Z'),
    fill('second', oval(50, 30, 17, 12)),
    line('light', 3, 'M32 56c2-4 6-6 11-7'),
  ),
  motif(
    'rings around a point',
    'any',
    fill('main', disc(50, 50, 46)),
    fill('light', disc(50, 50, 37)),
    fill('second', disc(50, 50, 28)),
    fill('light', disc(50, 50, 19)),
    fill('dark', disc(50, 50, 10)),
  ),
  motif(
    'arches one inside another',
    'any',
    fill('dark', 'M4 88V52A46 46 0 0 1 96 52V88Z'),
    fill('light', 'M14 88V52A36 36 0 0 1 86 52V88Z'),
    fill('main', 'M22 88V52A28 28 0 0 1 78 52V88Z'),
    fill('light', 'M32 88V52A18 18 0 0 1 68 52V88Z'),
    fill('second', 'M40 88V52A10 10 0 0 1 60 52V88Z'),
  ),
  motif(
    'a half circle, a square and a triangle',
    'any',
    fill('second', box(10, 52, 38, 38)),
    fill('main', 'M30 48A22 22 0 0 1 74 48Z'),
    fill('dark', 'M72 52L94 90H50Z'),
    fill('light', disc(29, 71, 9)),
  ),
]
