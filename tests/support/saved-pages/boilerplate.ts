/** Sentences around the texts of pages. Each page contains some of them, and none belongs to its text. */
export const boilerplate = {
  menu: ['Our departments', 'Season tickets', 'Contact desk', 'Where to find us'],
  cookies: 'We and our partners store information on your device to measure audiences.',
  cookieButtons: ['Accept everything', 'Manage preferences'],
  newsletter: 'Get our best stories in your inbox every Friday morning.',
  share: ['Tweet this page', 'Pin it', 'Send by mail'],
  related: [
    'Seven lighthouses you can sleep in',
    'The last typewriter factory closes its gates',
    'Quiz: which cheese are you today?',
  ],
  advert: 'Sponsored: refinance your mortgage before rates change again.',
  comments: [
    'First! I knew this years ago and nobody listened to me.',
    'My uncle says the opposite, and he drives a lorry.',
  ],
  footer: '© Tidewater Media Group. All rights reserved. Registered in the county of nowhere.',
  legalLinks: ['Imprint', 'Terms of use', 'Accessibility statement'],
  app: 'Download our application and read without interruptions.',
  author: 'About the writer: lives with three cats and a barometer.',
  skip: 'Skip to the content',
} as const
