/** The kinds of altars. Levels are saved with the index in this list. */
export const altarKinds = [
  { id: 'blood', name: 'altar of blood', does: 'lose 6 maximum health; your weapon and armour improve by 1' },
  { id: 'coin', name: 'altar of coin', does: 'pay 60 gold to be healed, cured and told what your items are' },
  { id: 'chance', name: 'altar of chance', does: 'something happens, more often good than bad' },
  { id: 'memory', name: 'altar of memory', does: 'forget the map of this level; gain 5 maximum health' },
] as const
