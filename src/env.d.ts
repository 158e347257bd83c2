declare namespace App {
  interface Locals {
    services: import('./site/services.ts').Services
  }
}

/** A stylesheet; see `src/build/theme-module.ts`. */
declare module 'virtual:theme.css'
