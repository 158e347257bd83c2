/**
 * Function words (articles, pronouns, conjunctions) by language, which occur in every longer text. Words that English
 * has, too (`die`, `men`, `par`), and parts of names (`de`, `la`, `van`) are left out, because names occur in every
 * language.
 */
export const functionWords: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    de: 'und ist nicht ich das ein eine einen einer einem mit auf sich auch dass wird sind wir sie für aus nach wie oder aber noch nur wenn über haben hatte zum zur vom werden kann mehr durch schon dir mir uns geht guten es er dem bei',
    fr: 'et est que qui dans une pour pas sur avec ce cette sont nous vous ils elle mais ne se je il au aux leur être fait très bien tout comme où même ses ça été ont avoir peut aussi un mon ma cet quand bonjour',
    es: 'que en es una un por con para como más pero se su sus al lo está están fue muy también hay porque cuando sobre ya este esta esto todo todos nos mi hola qué cómo sí tiene ser gracias era cada entre hasta',
    pt: 'que não uma um para com por mais mas como são está ao aos na em se seu sua ele ela também já foi muito isso isto você quando eu há ser tem pelo pela até nos é',
    it: 'che non una un per con sono come più ma anche nel nella delle degli gli si questo questa lo alla al sul dal dalla quando molto essere ci se io tutto cosa perché ciao sei è era ogni fra',
    nl: 'het een niet dat zijn met voor ook maar naar wordt heeft hebben deze dit werd worden bij uit nog wel kan wij ik je en aan om als hij zij te geen onze veel er over',
    sv: 'och att det som för på är av med inte en ett har till jag vi om kan sig från också när så var eller hade ska',
    da: 'og det som på er ikke en et med til af har jeg vi om kan sig fra også når så var eller være blev hvor dette noget',
    no: 'og det som på er ikke en et med til av har jeg vi om kan seg fra også når så var eller være ble hvor dette noe å',
    pl: 'nie się na że jest jak po co ale od za tak przez dla czy jego był ich są może tylko już który która oraz ze jestem było',
    cs: 'je se na že si ale jako jsem jsou není když také která který tak už jen co bylo byl ve za od jak jeho',
    sk: 'je sa na že ako som sú nie aj pre ktorý ktorá alebo už bol bolo len čo od za ale jeho',
    hu: 'és hogy nem az egy ez volt meg csak már vagy még kell minden azt lesz ezt mert aki ami',
    ro: 'și în este nu cu pe din un mai sunt pentru dar ce să că fost sau această lui cum prin acest',
    tr: 'bir ve bu için ile çok ne gibi daha olan olarak değil ama en mi kadar sonra var yok ki şey',
    fi: 'ja ei se että oli hän mutta ovat myös kun niin ole joka sen mitä tai kuin tämä minä olen hyvin jos',
    id: 'yang untuk dengan tidak ini itu dari dalam adalah pada akan juga ke saya oleh ada atau karena bisa kami anda sudah telah',
    vi: 'là và của có không được người cho một các những trong với này đã để khi cũng như từ',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
)

/** English function words, including some that other languages have, too: in doubt a text counts as English. */
export const englishWords: ReadonlySet<string> = new Set(
  "the of and that with from this these are were have has had you your they their them his her she he said what which who would could should been not but it its it's i'm don't in is was for an at or by we can will if so our how when there my be all one".split(
    ' ',
  ),
)
