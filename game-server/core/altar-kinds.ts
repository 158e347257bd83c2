/** What an altar asks and gives; the number in this list is the one levels are saved with. */
export const altarKinds = [
  { id: 'blood', name: 'altar of blood', does: 'lose 6 of your health limit, and weapon and armour improve by 1' },
  { id: 'coin', name: 'altar of coin', does: 'pay 60 gold, and be healed, cured and told what you carry' },
  { id: 'chance', name: 'altar of chance', does: 'something happens, likelier good than bad' },
  { id: 'memory', name: 'altar of memory', does: 'forget this level, and gain 5 health for good' },
] as const
