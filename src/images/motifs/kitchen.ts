import { box, disc, fill, line, motif, oval } from './shape.ts'

/** Motifs of food and drink. */
export const kitchen = {
  bread: motif(
    'a loaf of bread',
    'warm',
    fill('main', 'M8 64C2 44 16 32 34 31H66C84 32 98 44 92 64C90 73 84 76 76 76H24C16 76 10 73 8 64Z'),
    fill('second', 'M9 66C20 71 80 71 91 66C89 73 84 76 76 76H24C16 76 11 73 9 66Z'),
    line('light', 4.5, 'M28 42Q37 47 39 59', 'M46 40Q55 46 57 58', 'M64 41Q72 46 74 57'),
  ),
  cup: motif(
    'a steaming cup',
    'warm',
    line('second', 6, 'M72 50h6a11 11 0 0 1 0 22h-8'),
    fill('main', 'M20 44H76V62A22 22 0 0 1 54 84H42A22 22 0 0 1 20 62Z'),
    fill('dark', oval(48, 44, 28, 5)),
    fill('second', 'M10 86H88L82 92H16Z'),
    line('dark', 3, 'M36 34c-6-7 6-11 0-19', 'M48 32c-6-8 6-13 0-22', 'M60 34c-6-7 6-11 0-19'),
  ),
  pot: motif(
    'a pot on the fire',
    'red',
    fill('second', 'M34 96c-8-8 2-12 0-18c8 4 8 8 7 12c4-4 6-10 10-14c2 8 10 10 6 20Z'),
    line('dark', 5, 'M16 46H6', 'M84 46H94'),
    fill('main', 'M16 36H84V60A16 16 0 0 1 68 76H32A16 16 0 0 1 16 60Z'),
    fill('dark', box(12, 31, 76, 7, 3.5)),
    fill('second', 'M22 31A28 18 0 0 1 78 31Z'),
    fill('dark', disc(50, 11.5, 4.5)),
    line('light', 3.5, 'M25 46v13'),
  ),
  fruit: motif(
    'an apple with a leaf',
    'red',
    fill('main', 'M50 34C36 20 12 30 14 56C16 78 32 94 50 87C68 94 84 78 86 56C88 30 64 20 50 34Z'),
    line('dark', 4, 'M50 35C49 26 52 20 57 14'),
    fill('second', 'M54 22C60 8 76 6 86 10C82 22 70 30 54 22Z'),
    line('light', 4, 'M26 48c1-6 5-10 10-11'),
  ),
  glass: motif(
    'a glass of wine',
    'red',
    fill('dark', box(48, 56, 4, 32), 'M30 92C32 86 46 86 50 86C54 86 68 86 70 92Z'),
    fill('light', 'M30 8H70C76 34 72 60 50 60C28 60 24 34 30 8Z'),
    fill('main', 'M27.500 28H72.500C73 46 68 60 50 60C32 60 27 46 27.500 28Z'),
    fill('second', oval(50, 28, 22.5, 4)),
  ),
  cake: motif(
    'a cake with candles',
    'red',
    fill('second', box(18, 58, 64, 28, 3)),
    fill(
      'main',
      'M18 61V50A8 8 0 0 1 26 42H74A8 8 0 0 1 82 50V61C77 68 71 68 66 61C61 68 55 68 50 61C45 68 39 68 34 61C29 68 23 68 18 61Z',
    ),
    fill('dark', box(8, 86, 84, 5, 2.5), box(33, 26, 4, 16), box(48, 26, 4, 16), box(63, 26, 4, 16)),
    fill(
      'main',
      'M35 10c5 7 5 13 0 13s-5-6 0-13Z',
      'M50 10c5 7 5 13 0 13s-5-6 0-13Z',
      'M65 10c5 7 5 13 0 13s-5-6 0-13Z',
    ),
    line('light', 3, 'M26 77H74'),
  ),
}
