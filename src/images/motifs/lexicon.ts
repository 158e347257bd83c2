import type { MotifName } from './motifs.ts'

/**
 * Words that name a motif, in lower case without accents, in English, German, French and Spanish, and a few of other
 * languages. `word*` matches every word with that beginning, `*word` every word with that ending. Words after the `|`
 * are hints: they count less than words that name a motif.
 */
export const lexicon: Readonly<Record<MotifName, string>> = {
  bread:
    'bread loaf loaves bake baker* baking baked sourdough* dough* flour yeast* bagel baguette* toast crust brot* *brot sauerteig* backen backer* boulang* levain farine panader* levadura pane pao パン 面包 хлеб* خبز',
  cup: 'coffee* tea teapot espresso latte cafe* barista* kaffee* *kaffee tee infusion matcha chai breakfast fruhstuck* desayun* コーヒー 咖啡 茶 кофе чай قهوة | morning mug thermos ritual slow break pause',
  pot: 'soup* stew* cook* kitchen* recipe* dinner supper lunch meal* dish broth simmer* roast* chef* restaurant* food* eat eating kuche* koch* suppe* rezept* essen cuisin* recette* soupe* cocin* receta* sopa comida ricett* cucina noodle* ramen rice pasta curry 料理 рецепт* | taste flavour flavor hungry hunger pan table',
  fruit:
    'apple* fruit* orchard* pear cherry cherries plum peach berr* lemon orange apfel* obst* kirsche* pomme* verger manzan* fruta* harvest* ernte* recolte* cosecha* jam marmalade りんご 苹果 | ripe ripen* autumn fall',
  glass:
    'wine* beer* whisk* cocktail* bottle* vineyard* brew* cider pub drink* drunk alcohol* wein* bier* vin vignoble* vino* cerveza* vigneron* ワイン | toast tasting cheers sober sobriety',
  cake: 'cake* birthday* dessert* chocolate* sugar candy pastr* cookie biscuit pie sweet* kuchen* geburtstag* gateau* anniversaire* patisser* pastel cumpleanos tarta | party celebrat* anniversary feier* fete fiesta',
  book: 'book* novel* read reader* reading library libraries librarian* literature poem* poet* poetry chapter* fiction buch* bucher* lesen* roman* bibliothek* livre* lire lecture* libro* leer lectura* biblioteca* 书 книг* читат* كتاب 読書 書籍 阅读 | story stories page* classic* essay* author* fable* tale',
  pen: 'writ* pen pencil* ink notebook* diary diaries journal* draft* handwrit* essay* blog* schreib* stift* feder tagebuch* ecri* stylo* plume escrib* escritur* pluma cuaderno* author* poet* calligraph* grammar* 書く 写作 писа* | word* sentence* language* note* edit* comma story',
  letter:
    'letter email* e-mail mail* newsletter* inbox* envelope* postcard* postal stamp *brief posteingang* lettre* courriel* courrier* carta* correo* postman subscri* 手紙 邮件 письм* briefe briefen briefkasten | reply send sent answer farewell correspond* post',
  clock:
    'clock* hour* minute* watch* deadline* late punctual* midnight noon uhr* *uhr zeit* stunde* temps heure* horloge* tiempo* hora reloj* procrastinat* wait* 時間 时间 врем* وقت | slow* fast* quick* hurry moment* patience forever age daily time',
  calendar:
    'calendar* monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november december schedul* kalender* woche* jahr* monat* semaine* calendr* annee* semana* agenda* resolution* год* | today yesterday tomorrow plan* annual review retrospective day* date weekend year* month* week*',
  lens: 'search* research* investigat* detective* discover* inspect* audit* debug* evidence truth fact* clue forensic* such* forschung* recherche* chercher* buscar* investigac* study studies analys* analyz* 検索 поиск* | find* found look* question* ask why understand* explain* hidden invisible close reading mystery learn* notice*',
  brush:
    'art arts artist* paint* draw* design* colour* color* brush* museum* gallery galleries sketch* illustrat* kunst* zeichn* farbe* dessin* peint* couleur* arte dibuj* diseno* typograph* typeface* font* logo palette* creativ* watercolour* watercolor* sculpt* 芸術 絵 艺术 искусств* malen malerei maler* pintar pintura* pintor* | beautiful beauty style craft aesthetic* taste create',
  school:
    'school* teach* student* universit* college* course* lesson* exam* degree* homework professor* academ* education* pupil* schul* *schule lehrer* studium ecole* eleve* professeur* escuela* maestr* estudiant* universidad* thesis phd tutor* curriculum 学校 教育 школ* учит* class classes classroom* | learn* beginner* basics lern* apprendre aprender lecon* leccion*',
  bulb: 'idea* invent* bulb lamp* creativ* inspir* innovat* brainstorm* insight* licht* lampe* idee* lumiere* luz genius アイデア иде* | advice lesson* tip tips trick* smart clever simple hint startup* concept* opinion* light imagin* think* thought* denken* pensee* pensar* mind* brain* philosoph*',
  flask:
    'science* scien* chemis* laborator* lab experiment* biolog* molecul* vaccine* dna gene genes genetic* microb* bacteria* enzyme* wissenschaft* chemie* labor cienci* quimic* chimi* quantum physic* nobel hypothes* 科学 наук* علم | test* theory formula proof react*',
  house:
    'house* housing home* mortgage rent renting landlord* apartment* flat neighbour* neighbor* roof* move moving wohn* haus* *haus heim* miete* maison* logement* loyer casa* hogar alquiler domestic* household* tenant* architect* build building* 房子 дом* بيت 家庭 我が家 | live living family families indoors room*',
  door: 'door* doors gate* gateway threshold entrance exit* leav* quit quitting resign* goodbye farewell retire* porte* puerta* enter opening 扉 двер* tuer | open* begin* start* first last ending new no yes change* goodbye adieu welcome refus* end ends ending',
  key: 'key* password* passkey* secret* login access* encrypt* crypto cryptograph* token* authenticat* signature* unlock* schlussel* cle clef clave* contrasena* geheim* mot-de-passe 鍵 ключ* | trust* solution* own owner* ownership identity permission*',
  lock: 'lock* security secure* privacy private* surveillance hack* breach* safe safety vault* firewall* burglar* sicherheit* datenschutz* privat* securite* seguridad* privacidad vie-privee gdpr vulnerabilit* exploit* malware phishing ransomware spy* theft thief 安全 безопасн* | protect* guard* risk* danger* prison*',
  chair:
    'chair* furniture sofa armchair* couch interior* desk living-room mobel* stuhl* sessel* chaise* fauteuil* meuble* silla* sillon mueble* | rest comfort* cosy cozy lazy sit sitting quiet* calm grandmother* grandfather* retire* silence evening old boredom bored',
  bed: 'bed bedroom* sleep* insomnia* dream* nap naps pillow* tired* bett schlaf* traum* sommeil dormir* reve* sueno* cama siesta* asleep awake 睡眠 睡觉 сон traume* | night rest exhausted burnout',
  child:
    'child* kid kids baby babies parent* mother* father* daughter* toddler* birth pregnan* motherhood fatherhood kinder* eltern* mutter* vater* enfant* bebe* parents hijo* hija* madre* padre* nino* nina* maman papa newborn* stroller* 子供 孩子 дет* طفل | family famil* raise raising grow* name* young',
  tools:
    'tool* hammer* carpent* woodwork* workshop* repair* build* diy craft* fix* mend* maker* nail nails toolbox* werkzeug* handwerk* reparier* outil* brico* repar* herramient* taller bauen construct* furniture mechanic* plumb* | make making made work* hand* practical refactor* maintain* maintenance',
  thread:
    'knit* wool* yarn* sew* thread* crochet* weav* textile* quilt* fabric* embroid* strick* wolle* nahen faden* tricot* laine* couture* coudre tejer lana hilo* costura 編み物 | pattern* cat mend* tangled',
  shirt:
    'shirt* fashion* cloth clothes clothing dress* wardrobe* jeans trouser* laundry suit suits sock socks kleid* hemd* vetement* robe chemise* ropa moda camisa* wear* jacket* 服 одежд* | style fit',
  bicycle:
    'bicycl* bike* cycling cyclist* pedal* fahrrad* radfahr* radweg* velo* bici* 自転車 自行车 велосипед* دراجة | ride commut* helmet',
  train:
    'train trains railway* railroad* station* subway* tram* metro commut* locomotive* zug *zug bahn* *bahn bahnhof* gare tren trenes ferrocarril* u-bahn rail underground 電車 火车 поезд* قطار *zuge nachtzug* | journey* platform* track* delay* late passenger*',
  ship: 'ship* boat* sail* harbour* harbor* ferry* captain* navy vessel* schiff* segel* hafen* bateau* navire* voile* barco* vela puerto shipwreck* kayak* canoe* yacht* 船 кораб* سفينة segelboot* boote | voyage* launch* port drift* anchor*',
  plane:
    'plane* airplane* aeroplane* flight* airport* pilot* aviation flugzeug* flug* *flug avion* aeroport* vuelo* aeropuerto* jet airline* jetlag 飛行機 飞机 самол* طائرة | abroad fly flying sky distance travel*',
  car: 'car cars driv* highway* traffic motorway* tesla vehicle* garage* taxi* parking auto autos *auto fahren voiture* conduire coche* carretera* conducir automobile* truck* road roads motor 車 汽车 машин* | accident* speed fuel petrol engine*',
  suitcase:
    'travel* trip trips holiday* vacation* luggage suitcase* backpack* pack packing tourist* touris* hotel* passport* reise* urlaub* koffer* voyage* vacances valise* viaj* vacaciones maleta* nomad* expat* emigr* immigr* abroad away 旅行 旅 путешеств* سفر weekend-trip huts | leaving journey* visit* weekend minimal*',
  map: 'map maps mapping cartograph* atlas geograph* route* roadmap* gps landkarte* karte carte* mapa* border* frontier* territor* locat* place* border grenz* country countries 地図 地图 карт* خريطة | where lost walk* guide* guidebook* path* village* world',
  compass:
    'compass* navigat* explor* expedition* orient* adventure* kompass* boussole* brujula* pathfind* wander* voyag* strategy strategi* leadership* 羅針盤 | direction* decision* decid* choos* choice* purpose lost guide* priorit* goal* values principle* north south',
  bridge:
    'bridge* brucke* pont puente* engineer* viaduct* ponte civil-engineering 橋 桥 мост* | connect* between across river* gap* migrat* crossing cross divide join api transition*',
  lighthouse:
    'lighthouse* leuchtturm* phare faro* beacon* coast* lantern* küste cote costa shore* headland* 灯台 маяк* | warn* island* isle* alone lonely loneliness solitude fog guide hope lonel*',
  rocket:
    'rocket* launch* spaceship* spacecraft* astronaut* nasa spacex startup* moonshot* rakete* raumschiff* fusee* cohete* ship-it deploy* release* apollo 火箭 ロケット ракет* | growth fast scale speed ship shipping boost future',
  sea: 'sea seas seaside ocean* wave* tide* tidal surf* beach* swim* marine coral reef* meer* *meer ozean* welle* strand* mer mers ocean* plage* vague* nager mar mares oceano* ola playa* oleaje nadar river* water* flood* stream fluss* wasser* riviere* fleuve* eau rio agua* coast* diving lagoon* 海 川 水 мор* вод* بحر | island* drown* deep dive swell salt',
  mountain:
    'mountain* glacier* alps alpine summit* peak peaks hik* climb* valley* everest volcano* berg* *berg *berge gletscher* wander* gipfel* alpen montagne* sommet* randonn* montana* cumbre* sendero* lake* lago lac cliff* rock rocks trail* himalaya* andes 山 гор* جبل dolomit* | hill* high steep challenge* stone* landscape wild wilderness',
  forest:
    'forest* wood woods woodland* wald* *wald foret* bosque* jungle* rainforest* pine pines fir firs conifer* deforest* logging selva taiga mushroom* pilz* champignon* 森 森林 лес* غابة | wild nature natur* moss lichen wolf wolves bear bears deer path camp camping',
  tree: 'tree* oak* baum* baume* *baum arbre* arbol* olive* root roots willow* branch* family-tree bonsai* acorn* 树 дерев* شجرة 樹木 | old grow* shade ancest* genealog* rooted binary structure',
  leaf: 'plant* garden* leaf leaves seed* sprout* green* compost* soil herb* vegetable* vegan* pflanz* garten* *garten blatt plante* jardin* feuille* hoja* huerto* sustainab* ecolog* climat* environment* grow growing botan* tomato* farm* nachhalt* umwelt* klima* durable* sostenib* permacultur* 植物 庭 花园 сад* растени* | growth* nature organic spring patience weed weeds carbon',
  flower:
    'flower* bloom* blossom* rose roses tulip* petal* bouquet* blume* *blume blute* fleur* flor flores spring fruhling* printemps primavera sakura cherry-blossom dais* meadow* wiese* orchid* perfume* 花 桜 цвет* زهرة | april beauty pollen scent',
  sun: 'sun sunny sunrise* sunset* summer* solar sunlight dawn sonne* sommer* soleil ete verano sol sunday-morning heat* heatwave* hitze* chaleur* desert* wuste* solstice* 太陽 夏 солнц* лет* شمس | warm* bright day holiday energy morning shine hot light',
  rain: 'rain* storm* cloud clouds weather* thunder* drizzle* umbrella* monsoon* hurricane* regen* sturm* wetter* pluie* orage* nuage* meteo lluvia* tormenta* nube* clima mist* nebel wind winds 雨 天気 дожд* مطر | sad sadness grief* grey gray gloom* melanchol* november depress* cry crying fog mist',
  moon: 'moon* lunar stars starry midnight* insomnia mond* nacht* *nacht sterne lune nuit* luna noche* estrella* etoile* eclipse* nocturn* owl* twilight* dark darkness 夜 лун* ноч* قمر 月光 月夜 | sleepless quiet* silence dream* evening late moonlight night* nightfall',
  snow: 'snow* winter* ice iceberg* cold frost* freez* frozen ski skiing skis schnee* winter* eis kalt* neige* hiver* froid* nieve* invierno* frio hielo arctic antarctic* polar christmas* weihnacht* noel navidad* blizzard* 雪 冬 снег* зим* ثلج | december january white chill',
  fire: 'fire* flame* burn* campfire* wildfire* barbecue* grill* smoke* candle* feuer* brand brennen* feu flamme* fuego* incendio* hearth* stove* ember* arson* burnout* grillen ash ashes 火 огон* نار | anger angry rage hot heat outage* passion* incident* crisis hell',
  bird: 'bird* owl* crow* raven* nest* wing wings feather* sparrow* eagle* duck duckling* goose geese swallow* robin* tweet* twitter* mastodon vogel* *vogel oiseau* pajar* ave aves migration* pigeon* penguin* swan* starling* 鳥 鸟 птиц* طائر birdsong | fly* flying sing singing song* free freedom spring migrat* sing singing',
  fish: 'fish* salmon* aquarium* fishing trout* cod tuna shark* whale* octopus* fisch* poisson* peche* pez peces pescad* pesca* sushi shrimp* sardine* angler* 魚 鱼 рыб* سمك | ocean* sea bait hook catch pond',
  cat: 'cat cats kitten* feline* katze* chatte* gato* gata* 猫 кошк* кот قطة | pet pets purr* curious curiosity meme* haustier* lazy',
  dog: 'dog dogs pupp* canine* leash* hund* *hund chien* perro* perra* 犬 狗 собак* كلب | pet pets loyal* walk* haustier* friend* fetch',
  bee: 'bee bees beehive* honey* hive* insect* pollinat* wasp* butterfl* ant ants beetle* bug bugs biene* imker* honig* insekt* abeille* miel apicult* abeja* colmena* insecto* swarm* 蜂 蜜蜂 пчел* نحل | busy worker* colony buzz* garden* summer',
  code: 'code* coding coder* program* software develop* javascript typescript python rust css html compiler* git github commit* refactor* frontend backend web website* framework* function* open-source bug bugs regex* sql algorithm* entwickl* programmier* logiciel* developp* codigo* desarroll* programa* linux vim emacs terminal* debugg* kubernetes docker devops laptop* computer* keyboard* wordpress haskell java api apis 代码 プログラ* код* программ* برمجة zip file files | deploy* stack bug test tests testing screen* library internet online digital',
  chip: 'chip chips cpu gpu processor* hardware semiconductor* silicon microcontroller* arduino raspberry transistor* electronic* circuit* intel nvidia prozessor* processeur* procesador* memory ram firmware embedded fpga 芯片 半導体 процессор* | performance latency benchmark* cache optimi* bit byte compute',
  network:
    'network* graph graphs internet web protocol* node nodes decentrali* federat* blockchain* distributed p2p peer* social-media x402 dns http https tcp netzwerk* reseau* redes fediverse activitypub ipv6 router* wifi bitcoin* ethereum* microservice* topolog* neural 网络 ネットワーク сет* شبكة rss feeds fediverso | connect* system* link links community communit* complex* relation* agent* platform* header* distribute*',
  server:
    'server* database* data cloud hosting datacent* data-center self-host* selfhost* postgres* sqlite mysql sql storage backup* cache uptime downtime outage* latency scal* infrastructure* daten* datenbank* serveur* donnees base-de-donnees servidor* datos nas cluster* kubernetes docker aws azure migration* admin* sysadmin* queue* サーバー 服务器 сервер* | archive* log logs store warehouse* crawl* load',
  phone:
    'phone* smartphone* iphone* android* mobile* telephone* app apps screen-time doomscroll* notification* handy telefon* portable* movil* celular* sms texting social-media instagram tiktok whatsapp bildschirm* scroll* 携帯 电话 手机 телефон* هاتف | call calls calling screen* attention distract* offline swipe',
  robot:
    'robot* ai artificial chatgpt llm llms gpt chatbot* automat* android machine-learning bot bots agent* model models ki kunstlich* ia intelligence intelligenc* claude openai prompt* deep-learning neural neuronal* hallucinat* turing cyborg* 人工知能 人工智能 机器人 ロボット робот* ذكاء intelligenza* | machine* training future singular* crawler* assistant*',
  gear: 'machine* gear* factory factories mechanic* industr* manufactur* process* productiv* workflow* maschine* fabrik* usine* fabrica* maquina* efficien* system systems automat* clockwork* cog cogs assembly-line getriebe engrenage* engranaje* optimi* 機械 机器 механи* | work* job jobs routine* habit* setting* config* build* method* management manager* team* bureaucra* invent* engine*',
  plug: 'electric* energy power battery batteries charg* plug* grid volt* strom* energie* akku* elektr* electricit* bateria* energia* nuclear renewable* watt watts heat-pump kilowatt* blackout* wind-power turbine* 電気 能源 энерг* كهرباء | unplug* disconnect* offline plugin* burnout connect',
  camera:
    'camera* photo* photograph* film-camera lens portrait* picture* selfie* darkroom* kamera* foto* fotograf* appareil-photo cliche* camara* leica polaroid* image images snapshot* 写真 照片 фото* صورة | memory memories look* view* frame* moment* exposure',
  planet:
    'planet* space* universe* galaxy galaxies orbit* mars venus jupiter saturn telescope* astronom* cosm* weltraum* weltall planeten espace* univers etoiles espacio* universo black-hole alien aliens gravity asteroid* comet* hubble satellite* exoplanet* 宇宙 行星 космос* планет* فضاء | earth world infinite star future',
  coin: 'money* coin* price* pricing pay* paid payment* cent cents dollar* euro euros cash wealth* rich budget* salar* tax taxes debt* inflation* cost invest* fee fees wage* finance* financ* currency usdc earn* income* geld* preis* *preis bezahl* zahl* steuer* gehalt* sparen argent prix paye* payer monnaie impot* salaire* dinero* precio* moneda* impuesto* sueldo* bitcoin* stablecoin* econom* wirtschaft* capital* afford* cheap expensive teuer billig* お金 料金 钱 деньг* цен* سعر مال pagar pago pagos bank banks banking cost costs costly | free value* worth save saving* spend* sell* poor poverty subscription*',
  shop: 'shop* store stores market* retail* sell seller* selling customer* merchant* business* entrepreneur* ecommerce e-commerce boutique* laden markt* *markt geschaft* kunde* verkauf* magasin* marche commerce* client clients tienda* mercado* negocio* vender freelanc* indie brand brands bakery supermarket* 店 商店 магазин* متجر | small product* startup* company companies corner buy buying bought offer*',
  basket:
    'basket* grocer* shopping vegetable* supermarket* consum* einkauf* gemuse* legume* courses panier* compras cesta* verdura* market-day carrot* buy* zero-waste picnic* foraging packaging plastic* 野菜 蔬菜 | market* farm* food* diet* buy fresh season* haul list',
  chart:
    'chart* statistic* growth* data metric* analytics spreadsheet* excel graph stock stocks trading investor* forecast* kpi revenue* profit* wachstum* statistik* borse* croissance* bourse* crecimiento* estadistic* bolsa gdp econometr* measure* number* benchmark* trend* survey* dashboard* percent* 統計 统计 рост* | econom* report* result* success* increase* rise rising income* probab* model* average*',
  scales:
    'law laws legal* justice* court* judge* lawyer* rights right copyright* licen* regulat* trial* crime* fair fairness ethic* moral* balanc* recht* gesetz* gericht* gerecht* droit* loi justice tribunal* ley leyes justicia* derecho* policy policies gdpr contract* patent* inequal* equal* equit* weigh* tradeoff* trade-off* compromise* 法律 правосуд* закон* قانون عدل | versus vs compar* honest* truth guilt* decision* blame weight',
  heart:
    'love* heart* romance* marriage* wedding* dating kiss* valentine* liebe* herz* hochzeit* amour* coeur* mariage* amor* corazon* boda* relationship* divorce* breakup* friendship* kind kindness gratitude grateful* compassion* empathy feel* feeling* emotion* affection* 愛 爱 心 любов* сердц* حب قلب | happy happiness joy* care caring passion* hope* thank*',
  talk: 'talk* conversation* speech* speak* discuss* debate* dialog* chat chats comment* argument* language* translat* interview* gossip* silence sprache* gesprach* reden diskut* parler conversation* langue* hablar* idioma* conversac* feedback* communicat* question* answer* rumour* accent* vocabular* english german french spanish deutsch meeting* say saying said listen* conference* faq 言語 会話 语言 разговор* язык* لغة حوار | no yes word* tell* ask* advice criticis* voice* lie lies apolog* opinion* disagree*',
  people:
    'people* team* crowd* communit* friend* society social* population* leadership* hiring hire* colleague* meeting* manager* management remote culture* menschen* gesellschaft* freund* equipe* gens amis societe* equipo* gente amig* sociedad* together union unions volunteer* migrant* refugee* identity gender feminis* women men generation* diversity neighbour* neighbor* strangers stranger coworker* boss 社会 люди* обществ* ناس | family we us public others audience* company* organi* mentor* member* group*',
  music:
    'music* guitar* song* piano* band bands concert* melod* jazz album* vinyl violin* orchestra* drum* musik* lied lieder gitarre* konzert* musique* chanson* guitare* musica* cancion* guitarra* synth* rock-and-roll opera* symphon* bach mozart beethoven playlist* spotify choir* hip-hop punk 音楽 音乐 музык* موسيقى | rhythm* sound* noise listen* dance* sing* note*',
  microphone:
    'podcast* microphone* radio* voice* interview* broadcast* narrat* singer* karaoke audio* recording* stimme* mikrofon* voix micro voz entrevista* comedy comedian* stand-up speaker* talk-show episode* audiobook* 声 播客 подкаст* صوت sing sings singing | listen* speech* sound* public-speaking announce* sing',
  game: 'game* chess dice board-game* boardgame* gambl* poker puzzle* casino* videogame* video-game* nintendo minecraft spiel* schach* jeu jeux echecs juego* ajedrez dungeon* rpg roleplay* lego play playing toy toys lottery* luck* chance random* probabilit* tetris mario 遊び ゲーム 游戏 игр* لعبة schachspiel* | win winning lose losing lost strateg* rule* fun bet bets risk* speedrun*',
  ball: 'football* soccer basketball* tennis* ball sport* volleyball* baseball* world-cup fussball* fußball balon* pelota futbol* baloncesto* rugby* cricket stadium* olympi* handball* league* referee* athlet* 球 足球 サッカー футбол* спорт* كرة | team* match* score* goal* play player* coach* bounce',
  runner:
    'runner* marathon* jog jogging* sprint* shoe* sneaker* walk walking fitness* workout* exercise* laufen* lauf* *lauf joggen schuh* courir course-a-pied chaussure* correr carrera* zapato* triathlon* training gym steps pace 走る 跑步 бег* ran | race races endurance speed* habit* faster slow long-distance stamina step run running',
  trophy:
    'trophy* award* prize* champion* contest* competition* victor* success* medal* gewinn* sieg* erfolg* preisverleihung victoire* gagn* reussi* premio* ganar* exito* record records milestone* 優勝 победи* win wins winner* winning | best first fail* failure* lose losing leader* top goal* achieve* finish* proud ambition*',
  health:
    'health* hospital* doctor* medic* nurse* ill illness* disease* cancer* pain surgery patient* pandemic* covid* virus* pill pills therap* gesund* arzt* krank* sante* medecin* hopital* maladie* salud* hospital* enfermedad* diabet* allerg* wellbeing wellness nutrition* diet dentist* injury migraine* autis* adhd mental* anxi* depress* psych* burnout* stress* 健康 医 здоров* врач* صحة | body care recover* heal* symptom* tired* fever hurt* sick*',
  vote: 'vote* voting voter* election* democra* politic* government* parliament* president* ballot* referendum* wahl* politik* demokrat* regierung* election* gouvernement* politique* eleccion* gobierno* politica* citizen* protest* revolution* populis* senat* minister* campaign* constitution* 選挙 政治 выбор* полити* انتخاب سياسة | power nation* state people* propaganda freedom liberty party poll*',
  film: 'film films movie* cinema* video* youtube* director* hollywood netflix series television* tv stream streaming kino* *film pelicula* cine documentar* actor* actress* theatre* theater* screenplay* animation* oscar* anime trailer* tarkovsky kubrick 映画 电影 кино* فيلم | scene* watch* screen* story script* drama* review* episode* season*',
  city: 'city cities urban* town towns street* skyline* metropol* skyscraper* stadt* *stadt strasse* ville* rue rues ciudad* calle* barrio* downtown* berlin paris london tokyo york brooklyn suburb* pedestrian* zoning sidewalk* housing architect* gentrif* quartier* plaza 街 城市 город* مدينة | night* traffic neighbour* neighbor* building* rent life noise walk* local',
}
