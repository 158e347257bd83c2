/** The content of a page: its own words, none of which are in the boilerplate around it. */
export interface Topic {
  readonly title: string
  readonly author: string
  readonly date: string
  readonly lead: string
  readonly paragraphs: readonly string[]
  readonly points: readonly string[]
  readonly facts: readonly (readonly [name: string, value: string])[]
}

export const topics: readonly Topic[] = [
  {
    title: 'Why the harbour clock runs four minutes fast',
    author: 'Ines Calder',
    date: '3 March 2025',
    lead: 'For a hundred and twelve years the clock above the fish market has been wrong on purpose.',
    paragraphs: [
      'The ferry company set it ahead in 1913, after a summer in which eleven boats left half empty while their passengers were still buying oranges.',
      'Nobody announced the change; the keeper moved the hands on a Sunday night and wrote "harbour time" into his log.',
      'Within a month the bakeries opened by it, and the school followed in September, so that the whole lower town lived four minutes before the upper one.',
      'When the railway arrived it refused to follow, and for two decades a porter stood on the steps and shouted both times.',
      'A council vote to correct the mechanism failed in 1971 by a single hand, which belonged to the keeper of the clock.',
    ],
    points: [
      'Wind the movement every eighth day.',
      'Oil the fly before the first frost.',
      'Never stop the pendulum while a boat is loading.',
    ],
    facts: [
      ['Built', '1889'],
      ['Dial', '2.4 metres'],
      ['Offset', 'four minutes'],
    ],
  },
  {
    title: 'Growing chicory in the dark',
    author: 'Marek Dvořák',
    date: '18 November 2024',
    lead: 'Forcing turns a bitter root into the palest leaf of winter, and all it takes is a cellar.',
    paragraphs: [
      'Lift the roots after the first frosts, when the leaves have died back and sugar has moved below the ground.',
      'Trim each one to the length of a hand and leave a stump of two centimetres, because the new growth comes from its heart.',
      'Pack them upright in damp sand, shoulder to shoulder, and cover the box so that not even a crack of light gets in.',
      'At twelve degrees the chicons are ready in five weeks; at eighteen they take three, but they open early and taste sharp.',
      'Cut in the evening, and keep what you do not eat wrapped in paper, since a single day in the kitchen turns it green.',
    ],
    points: [
      'Choose roots as thick as a thumb.',
      'Water the sand, not the crowns.',
      'Start a new box every other week.',
    ],
    facts: [
      ['Temperature', '12 to 15 °C'],
      ['Weeks', '5'],
      ['Light', 'none'],
    ],
  },
  {
    title: 'What a leap second does to a queue',
    author: 'Priya Raman',
    date: '2025-01-09',
    lead: 'One extra second in a year is enough to make a scheduler believe that the past has come back.',
    paragraphs: [
      'Most programs read the wall clock when they mean to measure a duration, and on ordinary days they get away with it.',
      'On the last day of June 2012 the kernel repeated a second, timers fired at once, and machines that had idled all year ran at full load.',
      'The repair is dull: read the monotonic clock for intervals, and keep civil time for what people will see.',
      'Smearing spreads the second over a whole day, which hides it from programs that compare two readings of the same machine.',
      'It does not help when the other machine smears differently, and then two honest logs disagree by half a second about which came first.',
    ],
    points: [
      'Measure waits with a monotonic clock.',
      'Store instants in UTC.',
      'Test the day on which a minute has sixty-one seconds.',
    ],
    facts: [
      ['Introduced', '1972'],
      ['Inserted so far', '27'],
      ['Last', 'December 2016'],
    ],
  },
  {
    title: 'The bridge that sings in a north wind',
    author: 'Oskar Lindqvist',
    date: 'August 2023',
    lead: 'Since the new railing was fitted, the footbridge over the gorge hums an A flat on stormy nights.',
    paragraphs: [
      'Residents first blamed the transformer house, then a neighbour with a cello, and at last the four hundred holes in the handrail.',
      'Air that passes the edge of a hole sheds a vortex on one side and then on the other, and every vortex gives the metal a small push.',
      'When the pushes come at the pace at which the tube likes to swing, they add up, and the whole span begins to sound.',
      'Engineers closed every third opening with a rubber plug, which broke the rhythm without spoiling the view.',
      'The tone is gone now, although a composer has recorded it, and the town receives a small sum whenever the piece is played.',
    ],
    points: ['Vary the spacing of openings.', 'Avoid sharp edges that face the wind.', 'Listen before you paint.'],
    facts: [
      ['Span', '84 metres'],
      ['Pitch', '415 hertz'],
      ['Holes', '400'],
    ],
  },
  {
    title: 'Mending wool so that it shows',
    author: 'Aoife Byrne',
    date: '7 October 2024',
    lead: 'A darn in a contrasting yarn says that somebody thought the jersey was worth an evening.',
    paragraphs: [
      'Wash the garment first, for wool that has not been shrunk will pull at the repair until it puckers.',
      'Stretch the hole over a mushroom or an orange, and pick up one stitch beyond the damage on every side.',
      'Lay the warp close, as close as the knitting itself, and leave a small loop at each turn to allow for the first wash.',
      'Weave over and under with a blunt needle, beating each row down with its tip, until the patch feels like cloth.',
      'Steam it under a damp towel, and the edge between old and new will settle within a week of wearing.',
    ],
    points: [
      'Match the thickness, not the colour.',
      'Mend before the hole is as wide as a coin.',
      'Keep a hank of every jersey you knit.',
    ],
    facts: [
      ['Needle', 'blunt, size 18'],
      ['Yarn', 'two-ply'],
      ['Time', 'one evening'],
    ],
  },
  {
    title: 'How to read a tide table',
    author: 'Captain R. Voss',
    date: '12 May 2022',
    lead: 'Two columns of figures decide whether you will float over the bar or sit on it until supper.',
    paragraphs: [
      'The heights are counted from chart datum, the level below which the water seldom falls, so they are added to the depth on the chart.',
      'Between low and high the sea does not rise evenly: a twelfth in the first hour, two in the second, three in each of the middle ones.',
      'Springs follow the new and the full moon by about two days, and neaps follow the quarters.',
      'A strong wind from the land may take half a metre away, and high pressure presses the surface down by a centimetre for each millibar.',
      'Write the figures for your harbour on the back of your hand, because the phone will be wet when you need them.',
    ],
    points: [
      'Correct for summer time.',
      'Add the depth of your keel and a margin.',
      'Turn back while the tide still rises.',
    ],
    facts: [
      ['Range at springs', '5.1 metres'],
      ['Range at neaps', '2.2 metres'],
      ['Datum', 'lowest astronomical tide'],
    ],
  },
  {
    title: 'Small sites and their long memory',
    author: 'Teodora Ilieva',
    date: '2024/06/30',
    lead: 'A folder of plain files from 1997 still opens today, which is more than can be said of most databases.',
    paragraphs: [
      'The oldest page that we found on the municipal server was a list of swimming lessons, last changed eleven days after the pool had opened.',
      'Its author used four elements and no picture, and every browser made since then has shown it without complaint.',
      'What did break were the links: of ninety addresses on the first hundred pages, six still led anywhere.',
      'Archivists now copy what a page points to along with the page, and keep the date on which each copy was true.',
      'Durability, they say, is mostly a matter of what you manage to leave out.',
    ],
    points: [
      'Give every text an address for good.',
      'Keep the source beside the result.',
      'Redirect, and never reuse.',
    ],
    facts: [
      ['Pages kept', '14,200'],
      ['Oldest', '1996'],
      ['Dead links', '93 percent'],
    ],
  },
  {
    title: 'Sourdough at altitude',
    author: 'Lucía Quispe',
    date: '1 February 2025',
    lead: 'Above three thousand metres dough rises in half the time and forgives nothing.',
    paragraphs: [
      'Thin air lets the gas expand sooner, so the loaf looks ready long before the gluten can hold it.',
      'Use less starter, a tenth of the flour instead of a fifth, and let the dough rest in the coldest room of the house.',
      'Water boils at ninety degrees up here, which means that the crumb sets late and the crust dries early.',
      'A lidded pot keeps the steam for the first twenty minutes; after that the loaf needs a hotter oven than any book admits.',
      'Weigh it when it is cool: if it has lost less than an eighth, it was taken out too soon.',
    ],
    points: [
      'Halve the yeast before you change anything else.',
      'Add a spoonful of water for each cup of flour.',
      'Bake until the base sounds hollow.',
    ],
    facts: [
      ['Altitude', '3,400 metres'],
      ['Oven', '250 °C'],
      ['Hydration', '78 percent'],
    ],
  },
]

export const hebrew: Topic = {
  title: 'השעון שבנמל ממהר בארבע דקות',
  author: 'נועה לוי',
  date: '3 במרץ 2025',
  lead: 'מאה ושתים עשרה שנה השעון שמעל שוק הדגים מראה בכוונה שעה לא נכונה.',
  paragraphs: [
    'חברת המעבורות הקדימה אותו בשנת 1913, אחרי קיץ שבו יצאו סירות חצי ריקות בזמן שהנוסעים עדיין קנו תפוזים.',
    'איש לא הודיע על השינוי; שומר השעון הזיז את המחוגים בליל ראשון ורשם ביומנו "שעון הנמל".',
    'בתוך חודש נפתחו המאפיות לפיו, ובית הספר הצטרף בספטמבר.',
    'כשהגיעה הרכבת היא סירבה להצטרף, ובמשך שני עשורים עמד סבל על המדרגות וקרא את שתי השעות.',
  ],
  points: ['למתוח את המנגנון אחת לשמונה ימים.', 'לשמן לפני הכפור הראשון.'],
  facts: [
    ['נבנה', '1889'],
    ['קוטר', '2.4 מטר'],
  ],
}

export const arabic: Topic = {
  title: 'كيف تقرأ جدول المد والجزر',
  author: 'سليم حداد',
  date: '12 مايو 2022',
  lead: 'عمودان من الأرقام يقرران هل تعبر فوق الرمل أم تجلس عليه حتى العشاء.',
  paragraphs: [
    'تحسب الارتفاعات من مستوى الخريطة الذي قلما ينزل الماء تحته، ولذلك تضاف إلى العمق المكتوب عليها.',
    'لا يرتفع البحر بانتظام بين الجزر والمد: جزء من اثني عشر في الساعة الأولى وجزآن في الثانية.',
    'قد تأخذ الريح القوية من البر نصف متر، والضغط المرتفع يضغط السطح إلى أسفل.',
    'اكتب أرقام مينائك على ظهر يدك لأن الهاتف سيكون مبتلا حين تحتاج إليه.',
  ],
  points: ['صحح التوقيت الصيفي.', 'ارجع والماء ما زال يرتفع.'],
  facts: [
    ['المدى', '5.1 متر'],
    ['المرجع', 'أدنى مد فلكي'],
  ],
}

export const japanese: readonly Topic[] = [
  {
    title: '北風で歌う橋',
    author: '佐藤 恵',
    date: '2023年8月4日',
    lead: '新しい手すりが付いてから、谷に架かる歩道橋は嵐の夜に低い音で鳴るようになった。',
    paragraphs: [
      '住民は最初に変電所を疑い、次にチェロを弾く隣人を疑い、最後に手すりの四百の穴に気が付いた。',
      '穴の縁を過ぎる空気は片側ずつ渦を作り、その渦が金属を少しずつ押す。',
      '押す間隔が管の揺れやすい周期と重なると、小さな力が積み重なって橋全体が鳴り始める。',
      '技術者は穴を三つおきにゴムの栓でふさぎ、景色を損なわずに拍子を崩した。',
    ],
    points: ['穴の間隔を変えること。', '塗る前に耳を澄ますこと。'],
    facts: [
      ['長さ', '84メートル'],
      ['穴の数', '400'],
    ],
  },
  {
    title: '暗闇で育てるチコリ',
    author: '田中 一郎',
    date: '2024年11月18日',
    lead: '苦い根を冬のいちばん白い葉に変えるには、地下室がひとつあれば足りる。',
    paragraphs: [
      '霜が降りて葉が枯れ、糖分が土の下に移ってから根を掘り上げる。',
      '手の長さに切りそろえ、芯から新しい芽が出るので、付け根を二センチ残しておく。',
      '湿った砂にまっすぐ並べ、光が少しも入らないように箱を覆う。',
      '十二度なら五週間、十八度なら三週間で収穫できるが、早く開いて味が鋭くなる。',
    ],
    points: ['親指ほどの太さの根を選ぶ。', '砂に水をやり、芽にはかけない。'],
    facts: [
      ['温度', '12度から15度'],
      ['期間', '5週間'],
    ],
  },
]
