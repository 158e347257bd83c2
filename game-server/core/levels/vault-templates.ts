/**
 * A hand-made place. Its entrance is in the bottom row; a cell with a blank is not changed.
 * `#` wall, `.` floor, `+` door, `S` secret door, `'` arch, `"` grass, `w` tall grass, `,` rubble, `~` shallow and
 * `=` deep water, `:` chasm, `_` altar, `t` statue, `*` crystal, `f` fungus, `^` hidden trap,
 * `?` an item of the treasury, of which each player may take one, `!` a random item, `$` gold,
 * `v` guardian of the treasury, `g` guard, `a` ambush, `m` loner, `p` member of a pack.
 */
export interface VaultTemplate {
  rows: readonly string[]
  from: number
  to: number
}

/** Guarded vaults with several items, of which each player may take one. */
export const treasuries: readonly VaultTemplate[] = [
  { from: 1, to: 12, rows: ['#########', '#.?.?.?.#', '#.......#', '#..v.v..#', "####'####"] },
  { from: 1, to: 9, rows: [' ####### ', '##..?..##', '#...t...#', '#?.t.t.?#', '#...v...#', '##..?..##', " ###'### "] },
  { from: 3, to: 12, rows: ['###########', '#=========#', '#=?.=?=.?=#', '#==.===.==#', '#~.v...v.~#', "#####'#####"] },
  {
    from: 4,
    to: 12,
    rows: [
      '#############',
      '#?#..*.*..#?#',
      '#.#.......#.#',
      '#...v...v...#',
      '#.#.......#.#',
      '#?#..*.*..#?#',
      "######'######",
    ],
  },
  { from: 5, to: 12, rows: ['###########', '#?.:::::.?#', '#..:::::..#', '#..:::::..#', '#.v..?..v.#', "#####'#####"] },
  { from: 7, to: 12, rows: [' ######### ', '##t.?.?.t##', '#.........#', '#v.t...t.v#', '##..?.?..##', " ####'#### "] },
]

/** All other vaults. */
export const setPieces: readonly VaultTemplate[] = [
  { from: 1, to: 12, rows: ['#####', '#$!$#', '##S##'] },
  { from: 1, to: 12, rows: ['#######', '#!.$.!#', '#t...t#', '###S###'] },
  { from: 1, to: 6, rows: ['########', '#"w"ww"#', '#w"f"w!#', '#ww"w""#', '###+####'] },
  { from: 1, to: 12, rows: ['  #####  ', '###t_t###', '#.......#', '#..t.t..#', "####'####"] },
  { from: 2, to: 12, rows: ['###########', '#p.#.$.#.p#', '#..#.!.#..#', '#.........#', '#....p....#', '#####+#####'] },
  { from: 2, to: 12, rows: ['#########', '#t.t!t.t#', '#...a...#', '#t.t.t.t#', '####+####'] },
  { from: 2, to: 12, rows: ['#######', '#$.^.$#', '#.^.^.#', '#.....#', '###+###'] },
  { from: 3, to: 12, rows: ['#########', '#m#m#!#m#', '#+#+#+#+#', '#.......#', '####+####'] },
  { from: 3, to: 9, rows: [' ####### ', '##~~~~~##', '#~~===~~#', '#~==!==~#', '#~~===~~#', '##~~.~~##', " ###'### "] },
  { from: 4, to: 12, rows: ['#######', '#,,.,,#', '#,!.!,#', '#.,a,.#', '###+###'] },
  {
    from: 5,
    to: 12,
    rows: [' ####### ', '#:::::::#', '#::.!.::#', '#:::.:::#', '#:::.:::#', '#...g...#', "####'####"],
  },
  { from: 5, to: 12, rows: ['#######', '#*.f.*#', '#..!..#', '#*.f.*#', '###S###'] },
  { from: 6, to: 12, rows: ['###########', '#t.t.t.t.t#', '#........a#', '#t.t.t.t.t#', '####+######'] },
  { from: 8, to: 12, rows: ['###########', '#.$.#!#.$.#', '#...#+#...#', '#..g...g..#', '#####+#####'] },
]
